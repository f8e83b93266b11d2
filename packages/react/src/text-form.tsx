import {
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useState,
} from "react";
import type { Action } from "./action.tsx";

interface TextFormProps {
  action: Action;
  label: string;
  /** Name of the button that sends the text. */
  submit: string;
  /** Text to begin with. */
  initial?: string | undefined;
  /** Sends the text. The field is cleared if it succeeds. */
  send: (text: string) => Promise<void>;
  field?: Ref<HTMLTextAreaElement> | undefined;
  /** Further buttons. */
  children?: ReactNode | undefined;
}

/** Shows a field for a text, which Ctrl Enter (⌘ Enter) sends. */
export function TextForm({ action, label, submit, initial = "", send, field, children }: TextFormProps): ReactElement {
  const [text, setText] = useState(initial);
  const fieldId = useId();
  function sendText(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === "") return;
    void action.run(async () => {
      await send(text);
      setText("");
    });
  }
  function sendOnEnter({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
    if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
  }
  return (
    <form onSubmit={sendText} aria-busy={action.isPending}>
      <label htmlFor={fieldId}>{label}</label>
      <textarea
        ref={field}
        id={fieldId}
        value={text}
        rows={2}
        required
        readOnly={action.isPending}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={sendOnEnter}
      />
      <button type="submit" className="colloquy-button" data-variant="primary" aria-disabled={action.isPending}>
        {submit}
      </button>
      {children}
    </form>
  );
}
