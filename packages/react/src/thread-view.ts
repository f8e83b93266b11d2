import type { CommentAnnotation } from "@colloquy/client";

/** Status of the threads to show. */
export type ThreadStatus = "open" | "resolved" | "all";
/** Order of threads. */
export type ThreadOrder = "newest" | "oldest" | "activity" | "position";
/** Filter that a thread must match. */
export type ThreadViewFilter = "unread" | "mine" | "mentioned" | "assigned" | "detached";

/** Filters and order of a list of threads. */
export interface ThreadView {
  status: ThreadStatus;
  filters: readonly ThreadViewFilter[];
  order: ThreadOrder;
}

/** The user to whom threads are shown. */
interface Reader {
  userId: string;
  /** Annotation IDs of the threads that the user has not read. */
  unreadIds: readonly string[];
}

/** Returns whether a thread matches the status and all filters of a view. */
export function matchesView(thread: CommentAnnotation, { status, filters }: ThreadView, reader: Reader): boolean {
  const isResolved = thread.status.type === "terminal";
  return (
    (status === "all" || isResolved === (status === "resolved")) &&
    filters.every((filter) => FILTERS[filter](thread, reader))
  );
}

const FILTERS: Record<ThreadViewFilter, (thread: CommentAnnotation, reader: Reader) => boolean> = {
  unread: ({ annotationId }, { unreadIds }) => unreadIds.includes(annotationId),
  mine: ({ comments }, { userId }) => comments.some(({ from }) => from?.userId === userId),
  mentioned: ({ comments }, { userId }) =>
    comments.some(
      ({ taggedUserContacts, taggedUserGroups = [] }) =>
        taggedUserContacts.some((tag) => tag.userId === userId) ||
        taggedUserGroups.some(({ userIds }) => userIds.includes(userId)),
    ),
  assigned: ({ assignedTo }, { userId }) => assignedTo?.userId === userId,
  detached: ({ anchorState }) => anchorState === "detached",
};

/** Returns the position of a thread on the page, or undefined if it has none. */
export type GetPosition = (thread: CommentAnnotation) => number | undefined;

/** Returns threads in an order. Those without a position come last. */
export function sortThreads(
  threads: readonly CommentAnnotation[],
  order: ThreadOrder,
  getPosition: GetPosition = () => undefined,
): CommentAnnotation[] {
  const toKey = (thread: CommentAnnotation): number => {
    if (order === "position") return getPosition(thread) ?? Number.POSITIVE_INFINITY;
    if (order === "oldest") return thread.createdAt;
    return order === "newest" ? -thread.createdAt : -thread.lastUpdated;
  };
  const keys = new Map(threads.map((thread) => [thread, toKey(thread)]));
  // The difference of two infinite keys is NaN.
  return [...threads].sort((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0) || 0);
}
