import type { AccessRole, ChangeEvent, Comment, CommentAnnotation, EventOf, StreamEvent } from "@colloquy/client";
import { useMemo } from "react";
import { useSession } from "./provider.tsx";
import { useRepeatableCall } from "./repeatable-call.ts";
import { type ThreadActions, threadActions } from "./thread-actions.ts";
import { type Live, type LivePages, PAGE_SIZE, placeByTime, placeLast, useLive } from "./use-live.ts";

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends LivePages<CommentAnnotation[]>, ThreadActions {
  /** Role of the user on the document when the threads were read. Undefined until then. */
  accessRole: AccessRole | undefined;
}

/** The threads to show. */
export interface ThreadsFilter {
  documentId: string;
  /** IDs of the statuses of the threads, such as `OPEN` and `RESOLVED`. All threads by default. */
  statusIds?: string[] | undefined;
}

/** Returns the threads of a document, newest first. */
export function useThreads({ documentId, statusIds }: ThreadsFilter): ThreadsState {
  const { organizationId, userId } = useSession();
  const call = useRepeatableCall();
  const scope = { organizationId, documentId };
  const live = useLive<CommentAnnotation>(
    {
      ...{ scope, pageSize: PAGE_SIZE, getId: THREADS.getId },
      async read({ call }, page, signal) {
        const { data, ...response } = await call(
          "/v2/commentannotations/get",
          { ...scope, statusIds, ...page },
          { signal },
        );
        return { ...response, data: Array.isArray(data) ? data.filter((thread) => thread !== null) : [] };
      },
      apply: (list, event) => applyToThreads(list, event, statusIds),
    },
    JSON.stringify(["threads", scope, statusIds]),
  );
  const actions = useMemo(
    () => threadActions(call, { organizationId, documentId }, userId),
    [call, organizationId, documentId, userId],
  );
  const data = useMemo(() => live.data.map(withIndex), [live.data]);
  return { ...live, data, ...actions };
}

/** Returns a thread with its place in the list. Events have it from a list of their own. */
function withIndex(thread: CommentAnnotation, index: number): CommentAnnotation {
  const annotationIndex = index + 1;
  return thread.annotationIndex === annotationIndex ? thread : { ...thread, annotationIndex };
}

const THREADS = {
  getId: (thread: CommentAnnotation) => thread.annotationId,
  getTime: (thread: CommentAnnotation) => thread.createdAt,
};

function applyToThreads(
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

/** Returns the number of threads of a document with comments that the user has not read. */
export function useUnreadThreads({ documentId }: { documentId: string }): Live<number> {
  const { organizationId, userId } = useSession();
  const scope = { organizationId, documentId };
  const live = useLive<number>(
    {
      ...{ scope, getId: (count) => count },
      async read({ call }, _page, signal) {
        const request = { organizationId, documentIds: [documentId], userId };
        const { data } = await call("/v2/commentannotations/count/get", request, { signal });
        return { data: [data[documentId]?.unread ?? 0] };
      },
      apply: ({ data }, { event }) => (COUNTED_KINDS.includes(event) ? "read" : data),
    },
    JSON.stringify(["unreadThreads", scope, userId]),
  );
  return { ...live, data: live.data[0] ?? 0 };
}

/** Kinds of the events that may change the number of unread threads. */
const COUNTED_KINDS: readonly StreamEvent["event"][] = [
  "comment_annotation.add",
  "comment_annotation.update",
  "comment_annotation.delete",
  "comment_annotation.read",
  "comment.add",
  "comment.delete",
];
