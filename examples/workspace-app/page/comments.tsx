import { Thread, useThreads } from "@colloquy/react";
import { type FormEvent, useId, useState } from "react";
import { DOCUMENT, type User } from "../team.ts";

/** Shows the threads of the document, with a field that starts one and notifies the colleague. */
export function Comments({ colleague }: { colleague: User }) {
  const threads = useThreads({ documentId: DOCUMENT.documentId });
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<Error>();
  const field = useId();
  function send(event: FormEvent) {
    event.preventDefault();
    threads.add(text, [colleague.userId]).then(() => {
      setText("");
      setFailure(undefined);
    }, setFailure);
  }
  return (
    <>
      <h2>Comments</h2>
      <form className="comment" onSubmit={send}>
        <label htmlFor={field} className="colloquy-hidden">
          New comment
        </label>
        <textarea
          id={field}
          rows={2}
          required
          value={text}
          placeholder={`Ask ${colleague.name}…`}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Comment</button>
        {failure && <p role="alert">{failure.message}</p>}
      </form>
      <div className="threads">
        {!threads.isLoading && threads.data.length === 0 && <p className="empty">No comments yet.</p>}
        {threads.data.map((thread) => (
          <Thread key={thread.annotationId} thread={thread} threads={threads} />
        ))}
      </div>
    </>
  );
}
