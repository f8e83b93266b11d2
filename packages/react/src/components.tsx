import { type FormEvent, type ReactElement, useId, useState } from "react";
import { type Thread as ThreadRecord, type ThreadsState, useActivities, useInbox, usePresence } from "./hooks.ts";
import { useSession } from "./provider.tsx";
import { fillTemplate, initialsOf, nameOf } from "./template.ts";

/** Shows who is in a document. */
export function Avatars({
  documentId,
  label = "In this document",
}: {
  documentId: string;
  label?: string;
}): ReactElement {
  const users = usePresence({ documentId }).data.filter(({ status }) => status !== "offline");
  return (
    <ul className="colloquy-avatars" aria-label={label}>
      {users.map((user) => (
        <li key={user.userId} className="colloquy-avatar" data-status={user.status} title={nameOf(user)}>
          <span aria-hidden="true">{initialsOf(nameOf(user))}</span>
          <span className="colloquy-hidden">{nameOf(user)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shows what has happened in the organization or in one document. */
export function ActivityFeed({
  documentId,
  label = "Activity",
}: {
  documentId?: string;
  label?: string;
}): ReactElement {
  const { data, isLoading, error } = useActivities({ documentId });
  return (
    <section className="colloquy-feed" aria-label={label} aria-busy={isLoading}>
      <Notice isEmpty={data.length === 0} isLoading={isLoading} error={error} empty="No activity yet." />
      <ol>
        {data.map((activity) => {
          const { id, actionUser, actionType, displayMessageTemplate, displayMessageTemplateData, timestamp } =
            activity;
          const text = fillTemplate(displayMessageTemplate ?? `${nameOf(actionUser)}: ${actionType}`, {
            actionUser,
            ...displayMessageTemplateData,
          });
          return (
            <li key={id}>
              {text} <Time at={timestamp} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Shows the unread notifications of the user, with their number. */
export function Inbox({ label = "Inbox" }: { label?: string }): ReactElement {
  const { data, isLoading, error, markRead } = useInbox();
  const [failure, setFailure] = useState<unknown>();
  const unread = data.filter(({ isRead }) => !isRead).length;
  const read = (ids: string[]) => void markRead(ids).then(() => setFailure(undefined), setFailure);
  return (
    <section className="colloquy-inbox" aria-label={label} aria-busy={isLoading}>
      <p role="status" className="colloquy-badge">
        {unread} unread
      </p>
      <Notice isEmpty={data.length === 0} isLoading={isLoading} error={error ?? failure} empty="Inbox is empty." />
      <ul>
        {data.map((notification) => {
          const { id, actionUser, displayHeadlineMessageTemplate, displayBodyMessage, timestamp, isRead } =
            notification;
          const values = { actionUser, ...notification.displayHeadlineMessageTemplateData };
          return (
            <li key={id} data-read={isRead}>
              <strong>{fillTemplate(displayHeadlineMessageTemplate ?? nameOf(actionUser), values)}</strong>{" "}
              {displayBodyMessage} <Time at={timestamp} />{" "}
              {!isRead && (
                <button type="button" onClick={() => read([id])}>
                  Mark as read
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ThreadProps {
  thread: ThreadRecord;
  /** What `useThreads` returns for the document of the thread. */
  threads: Pick<ThreadsState, "reply" | "resolve">;
}

/** Shows the comments of a thread, with a field for a reply. */
export function Thread({ thread, threads }: ThreadProps): ReactElement {
  const { userId } = useSession();
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const field = useId();
  const { annotationId, comments, from, status } = thread;
  const isResolved = status.type === "terminal";
  function send(event: FormEvent): void {
    event.preventDefault();
    threads.reply(annotationId, text).then(() => {
      setText("");
      setFailure(undefined);
    }, setFailure);
  }
  return (
    <article className="colloquy-thread" aria-label={`Thread of ${nameOf(from)}`} data-resolved={isResolved}>
      <ol>
        {comments.map((comment) => (
          <li key={comment.commentId}>
            <strong>{nameOf(comment.from)}</strong> <Time at={comment.createdAt} />
            <p>{comment.commentText}</p>
          </li>
        ))}
      </ol>
      {isResolved && <p>Resolved</p>}
      <form onSubmit={send}>
        <label htmlFor={field}>Reply</label>
        <input id={field} value={text} required onChange={({ target }) => setText(target.value)} />
        <button type="submit">Send</button>
        {!isResolved && from?.userId === userId && (
          <button type="button" onClick={() => void threads.resolve(annotationId).catch(setFailure)}>
            Resolve
          </button>
        )}
      </form>
      {failure !== undefined && <p role="alert">{messageOf(failure)}</p>}
    </article>
  );
}

interface NoticeProps {
  isEmpty: boolean;
  isLoading: boolean;
  error: unknown;
  /** Text for an empty list. */
  empty: string;
}

function Notice({ isEmpty, isLoading, error, empty }: NoticeProps) {
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  return isEmpty ? <p>{isLoading ? "Loading…" : empty}</p> : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function Time({ at }: { at: number }) {
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{date.toLocaleTimeString([], { timeStyle: "short" })}</time>;
}
