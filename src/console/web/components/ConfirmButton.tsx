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
  /** Label of the button that opens the dialog. */
  label: string;
  /** Name of the thing that changes, appended to the accessible name of the button. */
  target?: string;
  size?: "xs" | "compact-xs";
  title: string;
  /** Explains the effect and whether it can be undone. */
  children: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  request: ApiRequest;
  /** ID of the item that must have succeeded, if the response reports one result per item. */
  itemId?: string;
  /** Set if the change ends the current session. */
  endsSession?: boolean;
  onDone?: () => void;
}

/** A button that asks for confirmation before it calls an operation of the API. */
export function ConfirmButton({
  label,
  target,
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
          setFailure(new Error(data[itemId]?.message ?? "The response has no result for this item."));
          return;
        }
        close();
        onDone?.();
      },
    });
  }
  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={open}
        aria-label={target && revealBidiControls(`${label} ${target}`)}
      >
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
