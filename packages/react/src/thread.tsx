import type { AccessRole, Comment, CommentAnnotation } from "@colloquy/client";
import { getPermittedActions, type ThreadActions, type ThreadRecord } from "@colloquy/client/stores";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { ActionButton, useAction } from "./action.tsx";
import { CommentItem, type CommentSlots } from "./comment-item.tsx";
import { type ComposedComment, Composer, type ComposerHandle } from "./composer.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Icon } from "./icons.tsx";
import { ErrorMessage } from "./notice.tsx";
import { useSession } from "./provider.tsx";
import { Quote } from "./quote.tsx";
import { getRootProps } from "./root-props.ts";
import { getName } from "./template.ts";
import { useTexts } from "./texts.tsx";
import { useProfiles } from "./use-profiles.ts";
import type { Upload } from "./use-uploads.ts";

/** Parts of a thread that a product replaces. Each gets what the component shows as `children`. */
export interface ThreadSlots extends CommentSlots {
  /** What is above the comments: the text that the thread is about, and whether it is resolved. */
  header?: ((slot: { thread: CommentAnnotation; children: ReactNode }) => ReactNode) | undefined;
}

/** Props of `Thread`. */
export interface ThreadProps {
  thread: ThreadRecord;
  /** What `useThreads` returns for the document of the thread. */
  threads: Pick<ThreadActions, "reply" | "resolve" | "reopen" | "edit" | "remove" | "react" | "unreact"> & {
    /** Role of the user on the document, which says what the thread offers. `commenter` by default. */
    accessRole?: AccessRole | undefined;
  };
  /** Reactions that a comment offers as buttons, beside the picker of all emojis. Those that others have added, too. */
  reactions?: string[] | undefined;
  slots?: ThreadSlots | undefined;
  /** Returns the URL of a comment, which its menu copies. */
  getLink?: ((comment: Comment, thread: CommentAnnotation) => string | undefined) | undefined;
  /** Stores attachments; the service by default. With false, comments have no new attachments. */
  upload?: Upload | false | undefined;
  /** Whether to leave out all that writes. */
  isReadOnly?: boolean | undefined;
  className?: string | undefined;
}

/** Number of comments of a thread that is not collapsed. */
const MAX_SHOWN = 6;
/** Number of the last comments of a collapsed thread that are shown, below the first one. */
const LAST_SHOWN = 3;
const NO_SLOTS: ThreadSlots = {};
const NO_REACTIONS: string[] = [];

/**
 * Shows the comments of a thread and the reactions to them, with a composer for a reply, and buttons to react, to
 * resolve the thread, and to change comments, as the role of the user permits.
 */
export function Thread(props: ThreadProps): ReactElement {
  const { thread, threads, reactions = NO_REACTIONS, slots = NO_SLOTS, getLink, upload, isReadOnly = false } = props;
  const { userId } = useSession();
  const texts = useTexts();
  const action = useAction();
  const getProfile = useProfiles(thread);
  const field = useRef<ComposerHandle>(null);
  const list = useRef<HTMLOListElement>(null);
  const [isExpanded, setExpanded] = useState(false);
  const [removed, setRemoved] = useState<Comment>();
  const { annotationId, comments, from, status, metadata } = thread;
  const isResolved = status.type === "terminal";
  const permitted = getPermittedActions(thread, userId, threads.accessRole ?? "commenter");
  const mayReply = !isReadOnly && permitted.reply;
  const hidden = isExpanded || comments.length <= MAX_SHOWN ? 0 : comments.length - LAST_SHOWN - 1;
  const shown = hidden > 0 ? [...comments.slice(0, 1), ...comments.slice(-LAST_SHOWN)] : comments;
  const authors = new Map(comments.flatMap((comment) => (comment.from ? [[comment.from.userId, comment.from]] : [])));
  const participants = [...authors.values()].map((user) => ({ userId: user.userId, ...getProfile(user) }));
  const composer = { documentId: metadata.documentId, upload, participants };
  const next = () => field.current ?? list.current;

  function expand(): void {
    setExpanded(true);
    // The button that has the focus is removed.
    queueMicrotask(() => (list.current?.children[1] as HTMLElement | undefined)?.focus());
  }

  const statusButton = !isReadOnly && permitted.resolve && (
    <ActionButton
      key={String(isResolved)}
      action={action}
      task={() => (isResolved ? threads.reopen(annotationId) : threads.resolve(annotationId))}
      next={next}
      className="colloquy-icon-button colloquy-status-button"
      variant="quiet"
      label={isResolved ? texts.reopen : texts.resolve}
      hasTooltip
    >
      <Icon name={isResolved ? "reopen" : "check"} />
    </ActionButton>
  );
  const header = (
    <>
      <Quote thread={thread} />
      {isResolved && (
        <p className="colloquy-resolved">
          <Icon name="check" />
          {texts.resolved}
        </p>
      )}
    </>
  );
  return (
    <article
      {...getRootProps(texts, "colloquy-thread", props.className)}
      aria-label={texts.threadOf(getName(from, texts))}
      data-resolved={isResolved}
    >
      {slots.header ? slots.header({ thread, children: header }) : header}
      <ol ref={list} className="colloquy-comments" tabIndex={-1}>
        {shown.flatMap((comment, place) => [
          place === 1 && hidden > 0 && (
            <li key="more" className="colloquy-more">
              <button type="button" className="colloquy-button" data-variant="quiet" onClick={expand}>
                {texts.moreComments(hidden)}
              </button>
            </li>
          ),
          <CommentItem
            key={comment.commentId}
            {...{ thread, comment, getProfile, slots, composer, next }}
            // A new comment gets another ID when it is stored, and with it another element.
            isChangeable={!isReadOnly && comment.commentId >= 0 && permitted.change(comment)}
            reactions={mayReply && comment.commentId >= 0 ? reactions : undefined}
            react={(reaction) => threads.react(annotationId, comment.commentId, reaction)}
            unreact={(reaction) => threads.unreact(annotationId, comment.commentId, reaction)}
            edit={(changed) => threads.edit(annotationId, comment.commentId, changed.text, toOptions(changed))}
            remove={() => setRemoved(comment)}
            link={getLink?.(comment, thread)}
          >
            {place === 0 && statusButton}
          </CommentItem>,
        ])}
      </ol>
      {comments.length === 0 && statusButton}
      <ErrorMessage error={action.error} />
      {mayReply && (
        <Composer
          handle={field}
          {...composer}
          label={texts.reply}
          draftId={`${metadata.documentId}/${annotationId}`}
          onSubmit={(reply) => threads.reply(annotationId, reply.text, toOptions(reply))}
          isCompact
        />
      )}
      {removed && (
        <ConfirmDialog
          // A thread without comments would show nothing.
          {...(permitted.remove && comments.length === 1
            ? { title: texts.confirmDeleteThread, confirm: () => threads.remove(annotationId) }
            : { title: texts.confirmDelete, confirm: () => threads.remove(annotationId, removed.commentId) })}
          description={texts.cannotBeUndone}
          close={() => setRemoved(undefined)}
          next={next}
        />
      )}
    </article>
  );
}

function toOptions({ html, mentions, attachments }: ComposedComment) {
  return { html, mentions, attachments };
}
