import { type ReactElement, useEffect, useId, useRef } from "react";
import { type Focusable, useAction } from "./action.tsx";
import { ErrorMessage } from "./notice.tsx";
import { useTexts } from "./texts.tsx";

/** Props of `ConfirmDialog`. */
export interface ConfirmDialogProps {
  /** Question, such as "Delete this comment?". */
  title: string;
  /** What happens then. */
  description?: string | undefined;
  /** Name of the button that confirms; "Delete" by default. */
  confirmLabel?: string | undefined;
  /** How that button looks; "danger" by default. */
  variant?: "primary" | "danger" | undefined;
  /** Does what the user confirms. The dialog shows the error if it fails, and closes otherwise. */
  confirm: () => Promise<void> | void;
  close: () => void;
  /** Returns what gets the focus if the element that had it before is gone. */
  next?: (() => Focusable | null | undefined) | undefined;
}

/** Asks the user to confirm an action. Escape and a click beside the dialog cancel it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { title, description, confirmLabel, variant = "danger", confirm, close } = props;
  const next = useRef(props.next);
  next.current = props.next;
  const texts = useTexts();
  const action = useAction();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else next.current?.()?.focus();
    };
  }, []);
  async function confirmAndClose(): Promise<void> {
    await confirm();
    close();
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog.
    <dialog
      ref={dialog}
      role="alertdialog"
      className="colloquy-dialog"
      aria-labelledby={`${id}title`}
      aria-describedby={description === undefined ? undefined : `${id}description`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div className="colloquy-dialog-content">
        <h2 id={`${id}title`}>{title}</h2>
        {description !== undefined && <p id={`${id}description`}>{description}</p>}
        <ErrorMessage error={action.error} />
        <div className="colloquy-dialog-actions">
          <button type="button" className="colloquy-button" onClick={close}>
            {texts.cancel}
          </button>
          <button
            type="button"
            className="colloquy-button"
            data-variant={variant}
            aria-disabled={action.isPending}
            onClick={() => void action.run(confirmAndClose)}
          >
            {confirmLabel ?? texts.delete}
          </button>
        </div>
      </div>
    </dialog>
  );
}
