import { Button, Group, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEvent, ReactNode } from "react";
import { revealBidiControls } from "./bidi.ts";
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

interface DialogButtonProps {
  label: string;
  /** Name of the thing that changes, appended to the accessible name of the button. */
  target?: string;
  variant?: "default";
  isDisabled?: boolean;
  /** Title of the dialog. */
  title: string;
  /** Returns the form. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog with a form. */
export function DialogButton({ label, target, variant, isDisabled = false, title, children }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="compact-xs"
        {...(variant && { variant })}
        disabled={isDisabled}
        onClick={open}
        aria-label={target && revealBidiControls(`${label} ${target}`)}
      >
        {label}
      </Button>
      <FormDialog title={title} isOpen={isOpen} onClose={close}>
        {children(close)}
      </FormDialog>
    </>
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
