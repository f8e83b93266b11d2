import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Verbatim } from "./Verbatim.tsx";
import { visible } from "./visible.ts";

interface ConfirmProps {
  title: string;
  /** What it does, to whom, and whether it can be undone. */
  children: ReactNode;
  /** The verb of the button. */
  action: string;
  /** What has to be typed before, for what cannot be undone. */
  typed?: string;
  isOpen: boolean;
  isRunning: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that others notice. */
export function Confirm({ title, children, action, typed, isOpen, onClose, ...rest }: ConfirmProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={<Verbatim>{title}</Verbatim>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Question action={action} typed={typed} onClose={onClose} {...rest}>
        {children}
      </Question>
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmProps, "title" | "isOpen">;

function Question({ children, action, typed, isRunning, error, onConfirm, onClose }: QuestionProps) {
  const [text, setText] = useState("");
  const isReady = typed === undefined || text === typed || text === visible(typed);
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
                Type <Verbatim>{typed}</Verbatim> to go on
              </>
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error && <ErrorMessage error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={isRunning} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
