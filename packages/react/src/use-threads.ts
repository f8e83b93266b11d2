import type { ChangeEvent, Comment, CommentAnnotation, EventOf } from "@colloquy/client";
import { useMemo } from "react";
import { useSession } from "./provider.tsx";
import { useRepeatableCall } from "./repeatable-call.ts";
import { type ThreadActions, threadActions } from "./thread-actions.ts";
import { type LivePages, PAGE_SIZE, placeByTime, placeLast, useLive } from "./use-live.ts";

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends LivePages<CommentAnnotation[]>, ThreadActions {}

/** Returns the threads of a document, newest first. */
export function useThreads({ documentId }: { documentId: string }): ThreadsState {
  const { organizationId, userId } = useSession();
  const call = useRepeatableCall();
  const scope = { organizationId, documentId };
  const live = useLive<CommentAnnotation>(
    {
      ...{ scope, pageSize: PAGE_SIZE, idOf: THREADS.idOf },
      async read({ call }, page, signal) {
        const { data, pageToken } = await call("/v2/commentannotations/get", { ...scope, ...page }, { signal });
        return { data: Array.isArray(data) ? data.filter((thread) => thread !== null) : [], pageToken };
      },
      apply: applyToThreads,
    },
    JSON.stringify(["threads", scope]),
  );
  const actions = useMemo(
    () => threadActions(call, { organizationId, documentId }, userId),
    [call, organizationId, documentId, userId],
  );
  return { ...live, ...actions };
}

const THREADS = {
  idOf: (thread: CommentAnnotation) => thread.annotationId,
  timeOf: (thread: CommentAnnotation) => thread.createdAt,
};

function applyToThreads(
  list: { data: CommentAnnotation[]; hasMore: boolean },
  event: ChangeEvent,
): CommentAnnotation[] {
  switch (event.event) {
    case "comment_annotation.add":
    case "comment_annotation.update":
    case "comment_annotation.status_change":
    case "comment_annotation.assign":
    case "comment_annotation.priority_change":
    case "comment_annotation.suggestion_accept":
    case "comment_annotation.suggestion_reject":
      return placeByTime(list, event.record, THREADS);
    case "comment_annotation.delete":
      return list.data.filter(({ annotationId }) => annotationId !== event.subject.annotationId);
    case "comment.add":
    case "comment.update":
    case "comment.delete":
    case "comment.reaction_add":
    case "comment.reaction_delete":
      return list.data.map((thread) =>
        thread.annotationId === event.subject.annotationId
          ? { ...thread, comments: applyToComments(thread.comments, event) }
          : thread,
      );
    default:
      return list.data;
  }
}

type CommentEvent = EventOf<Extract<ChangeEvent["event"], `comment.${string}`>>;

function applyToComments(comments: Comment[], event: CommentEvent): Comment[] {
  if (event.event === "comment.delete") {
    return comments.filter(({ commentId }) => commentId !== event.subject.commentId);
  }
  return placeLast(comments, event.record, ({ commentId }) => commentId);
}
