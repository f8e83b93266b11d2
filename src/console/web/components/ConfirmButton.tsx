import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { ApiRequest, Path, ResponseData } from "../api/call.ts";
import { useApiMutation } from "../api/use-api.ts";
import { revealBidiControls } from "./bidi.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

interface ConfirmButtonProps<P extends Path> {
  /** Label of the button that opens the dialog. */
  label: string;
  /** Name of the thing that changes, appended to the accessible name of the button. */
  target?: string;
  size?: "sm" | "xs" | "compact-xs";
  isDisabled?: boolean;
  /** -1 in a row that opens as a whole, whose arrow keys reach the button. */
  tabIndex?: -1 | undefined;
  title: string;
  /** Explains the effect and whether it can be undone. */
  children: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  request: ApiRequest<P>;
  /** Returns the error that a successful response reports, if it reports one result per item. */
  errorIn?: (data: ResponseData<P>) => string | undefined;
  /** Set if the change ends the current session. */
  endsSession?: boolean;
  onDone?: () => void;
}

/** A button that asks for confirmation before it calls an operation of the API. */
export function ConfirmButton<P extends Path>({
  label,
  target,
  size = "compact-xs",
  isDisabled = false,
  tabIndex,
  title,
  children,
  action,
  request,
  errorIn,
  endsSession,
  onDone,
}: ConfirmButtonProps<P>) {
  const [isOpen, { open, close }] = useDisclosure();
  const [itemError, setItemError] = useState<Error>();
  const { mutate, isPending, error } = useApiMutation(request.path, { endsSession });
  function confirm(): void {
    setItemError(undefined);
    mutate(request.data, {
      onSuccess: ({ data }) => {
        const message = errorIn?.(data);
        if (message !== undefined) return setItemError(new Error(message));
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
        disabled={isDisabled}
        tabIndex={tabIndex}
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
        error={itemError ?? error}
        onConfirm={confirm}
        onClose={close}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
