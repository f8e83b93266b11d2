import { Thread, useThreads } from "@colloquy/react";
import { type FormEvent, useId, useState } from "react";
import { DOCUMENT, type User } from "../team.ts";

/** Shows the threads of the document, with a field that starts one and notifies the colleague. */
export function Comments({ colleague }: { colleague: User }) {
  const threads = useThreads({ documentId: DOCUMENT.documentId });
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const field = useId();
  async function send(event: FormEvent) {
    event.preventDefault();
    // React renders after each click, so the second one of a double click sends nothing.
    if (isSending) return;
    setSending(true);
    await attempt(async () => {
      await threads.add(text, { mentions: [colleague.userId] });
      setText("");
    });
    setSending(false);
  }
  async function attempt(work: () => Promise<void>) {
    setError(undefined);
    await work().catch((error: unknown) => setError(getMessage(error)));
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
          readOnly={isSending}
          placeholder={`Ask ${colleague.name}…`}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" aria-disabled={isSending}>
          Comment
        </button>
        {error && <p role="alert">{error}</p>}
      </form>
      <div className="threads">
        {threads.error !== undefined && (
          <p role="alert">
            {threads.error.message}{" "}
            <button type="button" onClick={threads.retry}>
              Retry
            </button>
          </p>
        )}
        {!threads.isLoading && threads.error === undefined && threads.data.length === 0 && (
          <p className="empty">No comments yet.</p>
        )}
        {threads.data.map((thread) => (
          <Thread key={thread.annotationId} thread={thread} threads={threads} />
        ))}
        {threads.hasMore && (
          <button type="button" onClick={() => void attempt(threads.loadMore)}>
            Older comments
          </button>
        )}
      </div>
    </>
  );
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
