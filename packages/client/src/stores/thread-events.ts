import type { Comment, CommentAnnotation } from "../api.generated.ts";
import type { ChangeEvent, EventOf } from "../events.ts";
import { type Order, placeByTime, placeLast } from "./places.ts";

/** Returns a thread with its place in the list. Events have it from a list of their own. */
export function withIndex(thread: CommentAnnotation, index: number): CommentAnnotation {
  const annotationIndex = index + 1;
  return thread.annotationIndex === annotationIndex ? thread : { ...thread, annotationIndex };
}

export const THREADS: Order<CommentAnnotation> = {
  getId: ({ annotationId }) => annotationId,
  getTime: ({ createdAt }) => createdAt,
};

/** Returns the threads after an event. */
export function applyToThreads(
  list: { data: CommentAnnotation[]; hasMore: boolean },
  event: ChangeEvent,
  statusIds: string[] | undefined,
): CommentAnnotation[] {
  switch (event.event) {
    case "comment_annotation.add":
    case "comment_annotation.update":
    case "comment_annotation.status_change":
    case "comment_annotation.assign":
    case "comment_annotation.priority_change":
    case "comment_annotation.suggestion_accept":
    case "comment_annotation.suggestion_reject":
      if (!statusIds || statusIds.includes(event.record.status.id)) return placeByTime(list, event.record, THREADS);
      return without(list.data, event.subject.annotationId);
    case "comment_annotation.delete":
      return without(list.data, event.subject.annotationId);
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

function without(threads: CommentAnnotation[], deleted: unknown): CommentAnnotation[] {
  return threads.filter(({ annotationId }) => annotationId !== deleted);
}

type CommentEvent = EventOf<Extract<ChangeEvent["event"], `comment.${string}`>>;

function applyToComments(comments: Comment[], event: CommentEvent): Comment[] {
  if (event.event === "comment.delete") {
    return comments.filter(({ commentId }) => commentId !== event.subject.commentId);
  }
  return placeLast(comments, event.record, ({ commentId }) => commentId);
}
