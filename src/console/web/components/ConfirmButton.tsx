import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { ApiRequest } from "../api/call.ts";
import { useApiMutation } from "../api/use-api.ts";
import { revealBidiControls } from "./bidi.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

interface Outcome {
  success: boolean;
  message: string;
}

interface ConfirmButtonProps {
  /** Of the button that asks; `what` says of which thing, for who cannot see where it stands. */
  label: string;
  what?: string;
  size?: "xs" | "compact-xs";
  title: string;
  /** What it does, to whom, and whether it can be undone. */
  children: ReactNode;
  /** The verb of the button that does it. */
  action: string;
  request: ApiRequest;
  /** Where the answer is by id, the one that must have gone well. */
  itemId?: string;
  /** Whether the page can read nothing more afterwards. */
  endsSession?: boolean;
  onDone?: () => void;
}

/** A button that asks before it changes something by an operation of the API. */
export function ConfirmButton({
  label,
  what,
  size = "compact-xs",
  title,
  children,
  action,
  request,
  itemId,
  endsSession,
  onDone,
}: ConfirmButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [failure, setFailure] = useState<Error>();
  const { mutate, isPending, error } = useApiMutation<Record<string, Outcome>, object>(request.path, { endsSession });
  function confirm(): void {
    setFailure(undefined);
    mutate(request.data, {
      onSuccess: ({ data }) => {
        if (itemId !== undefined && !data[itemId]?.success) {
          setFailure(new Error(data[itemId]?.message ?? "The answer does not say whether it was done."));
          return;
        }
        close();
        onDone?.();
      },
    });
  }
  return (
    <>
      <Button variant="default" size={size} onClick={open} aria-label={what && revealBidiControls(`${label} ${what}`)}>
        {label}
      </Button>
      <ConfirmDialog
        title={title}
        action={action}
        isOpen={isOpen}
        isRunning={isPending}
        error={failure ?? error}
        onConfirm={confirm}
        onClose={close}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
