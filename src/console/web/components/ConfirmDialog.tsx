import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { revealBidiControls } from "./bidi.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { FormDialog } from "./FormDialog.tsx";
import { PendingButton } from "./PendingButton.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

interface ConfirmDialogProps {
  title: string;
  /** Explains the effect and whether it can be undone. */
  children: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  /** Text to type before an irreversible action can be confirmed. */
  typed?: string;
  isOpen: boolean;
  isRunning: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an action that affects others. */
export function ConfirmDialog({ title, children, action, typed, isOpen, onClose, ...rest }: ConfirmDialogProps) {
  return (
    <FormDialog title={title} isOpen={isOpen} onClose={onClose}>
      <ConfirmForm action={action} typed={typed} onClose={onClose} {...rest}>
        {children}
      </ConfirmForm>
    </FormDialog>
  );
}

type ConfirmFormProps = Omit<ConfirmDialogProps, "title" | "isOpen">;

function ConfirmForm({ children, action, typed, isRunning, error, onConfirm, onClose }: ConfirmFormProps) {
  const [text, setText] = useState("");
  // The error of an attempt before the dialog was opened again says nothing about this one.
  const [earlierError] = useState(error);
  const isReady = typed === undefined || text === typed || text === revealBidiControls(typed);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady) onConfirm();
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <UntrustedText>{typed}</UntrustedText> to confirm
              </>
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error && error !== earlierError && <ErrorMessage error={error} />}
        <Group justify="flex-end" gap="xs">
          {/* The safe choice has the focus, unless a text is to be typed first. */}
          <Button variant="default" onClick={onClose} {...(typed === undefined && { "data-autofocus": true })}>
            Cancel
          </Button>
          <PendingButton type="submit" color="red" loading={isRunning} disabled={!isReady}>
            {action}
          </PendingButton>
        </Group>
      </Stack>
    </form>
  );
}
