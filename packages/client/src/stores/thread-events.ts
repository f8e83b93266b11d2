import type { ChangeEvent, EventOf } from "../events.ts";
import { type Order, upsertByTime, upsertLast } from "./ordered-list.ts";
import { type CommentRecord, keepReactionOrder, type ThreadRecord } from "./thread-changes.ts";

/** Returns a thread with its index in this list. Events number threads by the whole document. */
export function withIndex(thread: ThreadRecord, index: number): ThreadRecord {
  const annotationIndex = index + 1;
  return thread.annotationIndex === annotationIndex ? thread : { ...thread, annotationIndex };
}

export const THREAD_ORDER: Order<ThreadRecord> = {
  getId: ({ annotationId }) => annotationId,
  getTime: ({ createdAt }) => createdAt,
};

/** Returns the threads after an event. */
export function applyToThreads(
  list: { data: ThreadRecord[]; hasMore: boolean },
  event: ChangeEvent,
  isShown: (thread: ThreadRecord) => boolean,
): ThreadRecord[] {
  switch (event.event) {
    case "comment_annotation.add":
    case "comment_annotation.update":
    case "comment_annotation.status_change":
    case "comment_annotation.assign":
    case "comment_annotation.priority_change":
    case "comment_annotation.suggestion_accept":
    case "comment_annotation.suggestion_reject":
      if (isShown(event.record)) {
        return upsertByTime(list, keepOrders(list.data, event.record), THREAD_ORDER);
      }
      return removeThread(list.data, event.subject.annotationId);
    case "comment_annotation.delete":
      return removeThread(list.data, event.subject.annotationId);
    case "comment.add":
    case "comment.update":
    case "comment.delete":
    case "comment.reaction_add":
    case "comment.reaction_delete":
      return list.data.map((thread) =>
        thread.annotationId === event.subject.annotationId
          ? {
              ...thread,
              comments: applyToComments(thread.comments, event),
              lastUpdated: Math.max(thread.lastUpdated, event.timestamp),
            }
          : thread,
      );
    default:
      return list.data;
  }
}

/** Returns a thread whose comments have their reactions in the same order as before. */
function keepOrders(threads: ThreadRecord[], thread: ThreadRecord): ThreadRecord {
  const known = threads.find(({ annotationId }) => annotationId === thread.annotationId)?.comments;
  if (!known) return thread;
  return { ...thread, comments: thread.comments.map((comment) => keepOrder(known, comment)) };
}

function keepOrder(known: CommentRecord[], comment: CommentRecord): CommentRecord {
  const before = known.find(({ commentId }) => commentId === comment.commentId);
  return keepReactionOrder(before, comment);
}

function removeThread(threads: ThreadRecord[], deleted: unknown): ThreadRecord[] {
  return threads.filter(({ annotationId }) => annotationId !== deleted);
}

type CommentEvent = EventOf<Extract<ChangeEvent["event"], `comment.${string}`>>;

function applyToComments(comments: CommentRecord[], event: CommentEvent): CommentRecord[] {
  if (event.event === "comment.delete") {
    return comments.filter(({ commentId }) => commentId !== event.subject.commentId);
  }
  return upsertLast(comments, keepOrder(comments, event.record), ({ commentId }) => commentId);
}
