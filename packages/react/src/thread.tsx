import type { AccessRole, CommentAnnotation } from "@colloquy/client";
import { getPermittedActions, type ThreadActions } from "@colloquy/client/stores";
import { type ReactElement, useRef } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { CommentItem } from "./comment-item.tsx";
import { ErrorMessage } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { getRootProps } from "./root-props.ts";
import { getName } from "./template.ts";
import { TextForm } from "./text-form.tsx";
import { useTexts } from "./texts.tsx";

/** Props of `Thread`. */
export interface ThreadProps {
  thread: CommentAnnotation;
  /** What `useThreads` returns for the document of the thread. */
  threads: Pick<ThreadActions, "reply" | "resolve" | "reopen" | "edit" | "remove" | "react" | "unreact"> & {
    /** Role of the user on the document, which says what the thread offers. `commenter` by default. */
    accessRole?: AccessRole | undefined;
  };
  /** Reactions to offer for each comment; 👍 by default. Those that others have added can be added, too. */
  reactions?: string[] | undefined;
  /** Whether to leave out all that writes. */
  isReadOnly?: boolean | undefined;
  className?: string | undefined;
}

const DEFAULT_REACTIONS = ["👍"];

/**
 * Shows the comments of a thread and the reactions to them, with a field for a reply, and buttons to react, to resolve
 * the thread, and to change comments, as the role of the user permits.
 */
export function Thread(props: ThreadProps): ReactElement {
  const { thread, threads, reactions = DEFAULT_REACTIONS, isReadOnly = false, className } = props;
  const { userId } = useSession();
  const texts = useTexts();
  const action = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const { annotationId, comments, from, status } = thread;
  const isResolved = status.type === "terminal";
  const permitted = getPermittedActions(thread, userId, threads.accessRole ?? "commenter");
  const mayReply = !isReadOnly && permitted.reply;
  const statusButton = !isReadOnly && permitted.resolve && (
    <ActionButton
      key={String(isResolved)}
      action={action}
      task={() => (isResolved ? threads.reopen(annotationId) : threads.resolve(annotationId))}
      next={() => field.current}
    >
      {isResolved ? texts.reopen : texts.resolve}
    </ActionButton>
  );
  return (
    <article
      {...getRootProps(texts, "colloquy-thread", className)}
      aria-label={texts.threadOf(getName(from, texts))}
      data-resolved={isResolved}
    >
      <ol>
        {comments.map((comment) => (
          <CommentItem
            key={comment.commentId}
            comment={comment}
            isChangeable={!isReadOnly && permitted.change(comment)}
            reactions={mayReply ? reactions : undefined}
            react={(reaction) => threads.react(annotationId, comment.commentId, reaction)}
            unreact={(reaction) => threads.unreact(annotationId, comment.commentId, reaction)}
            edit={(text) => threads.edit(annotationId, comment.commentId, text)}
            // A thread without comments would show nothing.
            remove={() =>
              threads.remove(annotationId, permitted.remove && comments.length === 1 ? undefined : comment.commentId)
            }
            next={() => field.current}
          />
        ))}
      </ol>
      {isResolved && <p>{texts.resolved}</p>}
      {mayReply ? (
        <TextForm
          {...{ action, field }}
          label={texts.reply}
          submit={texts.send}
          send={(text) => threads.reply(annotationId, text)}
        >
          {statusButton}
        </TextForm>
      ) : (
        statusButton
      )}
      <ErrorMessage error={action.error} />
    </article>
  );
}
