import { Button, Group, Modal, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { PendingButton } from "./PendingButton.tsx";
import { UntrustedText } from "./UntrustedText.tsx";
import { useFocusReturn } from "./use-focus-return.ts";
import { useInvalidFieldFocus } from "./use-invalid-field-focus.ts";

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** The form, which is unmounted while the dialog is closed. */
  children: ReactNode;
}

/** A dialog with a form. */
export function FormDialog({ title, isOpen, onClose, children }: FormDialogProps) {
  useFocusReturn(isOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      title={<UntrustedText>{title}</UntrustedText>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {children}
    </Modal>
  );
}

interface DialogFormProps {
  /** Label of the button that submits. */
  action: string;
  isReady?: boolean;
  isRunning: boolean;
  /** The error or response of the request, after which the first field with an error takes the focus. */
  outcome?: object | null | undefined;
  /** Error that no field shows. */
  error: Error | null | undefined;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The fields and buttons of a dialog. */
export function DialogForm(props: DialogFormProps) {
  const { action, isReady = true, isRunning, outcome, error, onSubmit, onClose, children } = props;
  const form = useInvalidFieldFocus(outcome);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && !isRunning) onSubmit();
  }
  return (
    <form onSubmit={submit} ref={form}>
      <Stack gap="sm">
        {children}
        {error && <ErrorMessage error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <PendingButton type="submit" loading={isRunning} disabled={!isReady}>
            {action}
          </PendingButton>
        </Group>
      </Stack>
    </form>
  );
}
