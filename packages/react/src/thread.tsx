import type { CommentAnnotation } from "@colloquy/client";
import { type FormEvent, type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { Failure, Time } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { nameOf } from "./template.ts";
import type { ThreadsState } from "./use-threads.ts";

/** Props of `Thread`. */
export interface ThreadProps {
  thread: CommentAnnotation;
  /** What `useThreads` returns for the document of the thread. */
  threads: Pick<ThreadsState, "reply" | "resolve">;
}

/** Shows the comments of a thread, with a field for a reply, which Ctrl Enter (⌘ Enter) sends. */
export function Thread({ thread, threads }: ThreadProps): ReactElement {
  const { userId } = useSession();
  const [text, setText] = useState("");
  const action = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  const { annotationId, comments, from, status } = thread;
  const isResolved = status.type === "terminal";
  function send(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === "") return;
    void action.run(async () => {
      await threads.reply(annotationId, text);
      setText("");
    });
  }
  function sendOnEnter({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
    if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
  }
  return (
    <article className="colloquy-thread" aria-label={`Thread started by ${nameOf(from)}`} data-resolved={isResolved}>
      <ol>
        {comments.map((comment) => (
          <li key={comment.commentId}>
            <strong>{nameOf(comment.from)}</strong> <Time at={comment.createdAt} />
            <p>{comment.commentText}</p>
          </li>
        ))}
      </ol>
      {isResolved && <p>Resolved</p>}
      <form onSubmit={send} aria-busy={action.isPending}>
        <label htmlFor={fieldId}>Reply</label>
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
        <button type="submit" aria-disabled={action.isPending}>
          Send
        </button>
        {!isResolved && from?.userId === userId && (
          <ActionButton action={action} task={() => threads.resolve(annotationId)} next={() => field.current}>
            Resolve
          </ActionButton>
        )}
      </form>
      <Failure error={action.error} />
    </article>
  );
}
