import type {
  Activity,
  ChangeEvent,
  Comment,
  CommentAnnotation,
  EventOf,
  Notification,
  Presence,
} from "@colloquy/client";
import { useSession } from "./provider.tsx";
import { useRepeatableCall } from "./repeatable-call.ts";
import { type Live, type LivePages, placeByTime, placeLast, useLive } from "./use-live.ts";

const PAGE_SIZE = 50;
const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

/** Returns the newest activities of a document, newest first. */
export function useActivities({ documentId }: { documentId: string }): LivePages<Activity[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  const order = { idOf: ({ id }: Activity) => id, timeOf: ({ timestamp }: Activity) => timestamp };
  return useLive<Activity>(
    {
      ...{ scope, pageSize: PAGE_SIZE, idOf: order.idOf },
      read: ({ call }, page, signal) => call("/v2/activities/get", { ...scope, ...page }, { signal }),
      apply(list, event) {
        switch (event.event) {
          case "activity.add":
          case "activity.update":
            return placeByTime(list, event.record, order);
          case "activity.delete":
            return list.data.filter(({ id }) => id !== event.subject.id);
          default:
            return list.data;
        }
      },
    },
    JSON.stringify(scope),
  );
}

/** Kinds of the events that change inboxes. Notifications leave them with the annotation or document they are about. */
const CHANGES_INBOX = /^(notification\.|comment_annotation\.delete$|document\.delete$)/;

/** The inbox of the user. */
export interface InboxState extends LivePages<Notification[]> {
  /** Number of unread notifications in the whole inbox. */
  unreadCount: number;
  /** Marks notifications as read, all of them by default. */
  markRead(notificationIds?: string[]): Promise<void>;
}

/** Returns the inbox of the user, newest first. Notifications that are read leave it. */
export function useInbox(): InboxState {
  const { client, organizationId, userId } = useSession();
  const order = { idOf: ({ id }: Notification) => id, timeOf: ({ timestamp }: Notification) => timestamp };
  const live = useLive<Notification>(
    {
      ...{ scope: { organizationId }, pageSize: PAGE_SIZE, idOf: order.idOf },
      read: ({ call }, page, signal) => call("/v2/notifications/get", { organizationId, userId, ...page }, { signal }),
      apply(list, event) {
        switch (event.event) {
          case "notification.add":
          case "notification.update":
            return event.record ? placeByTime(list, event.record, order) : "read";
          case "notification.delete":
            return list.data.filter(({ id }) => id !== event.subject.id);
          case "comment_annotation.delete":
          case "document.delete":
            return list.data.some(({ metadata }) => metadata.documentId === event.documentId) ? "read" : list.data;
          default:
            return list.data;
        }
      },
    },
    JSON.stringify([organizationId, userId]),
  );
  const counted = useUnreadCount({ isNeeded: live.hasMore });
  const shown = live.data.filter(({ isRead }) => !isRead).length;
  return {
    ...live,
    unreadCount: counted.data[0] ?? shown,
    error: live.error ?? counted.error,
    retry() {
      live.retry();
      counted.retry();
    },
    async markRead(notificationIds) {
      await client.call("/v2/notifications/read", { organizationId, userId, notificationIds });
    },
  };
}

/** Counts the unread notifications of an inbox, which is only needed if it has more than were read. */
function useUnreadCount({ isNeeded }: { isNeeded: boolean }): Live<number[]> {
  const { organizationId, userId } = useSession();
  return useLive<number>(
    {
      scope: { organizationId },
      idOf: (count) => count,
      async read({ call }, _page, signal) {
        if (!isNeeded) return { data: [] };
        const { data } = await call("/v2/notifications/count/get", { organizationId, userIds: [userId] }, { signal });
        return { data: [data[userId]?.unread ?? 0] };
      },
      apply: ({ data }, { event }) => (isNeeded && CHANGES_INBOX.test(event) ? "read" : data),
    },
    JSON.stringify([organizationId, userId, isNeeded]),
  );
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<Presence[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  const idOf = ({ userId }: Presence) => userId;
  return useLive<Presence>(
    {
      ...{ scope, idOf },
      read: ({ call }, _page, signal) => call("/v2/presence/get", scope, { signal }),
      apply({ data }, event) {
        if (event.event === "presence.delete") return data.filter(({ userId }) => userId !== event.subject.userId);
        return event.event === "presence.update" ? placeLast(data, event.record, idOf) : data;
      },
    },
    JSON.stringify(scope),
  );
}

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends LivePages<CommentAnnotation[]> {
  /** Starts a thread, and notifies the users with these IDs. */
  add(text: string, mentions?: string[]): Promise<void>;
  /** Adds a comment to a thread, and notifies all who take part in it. */
  reply(annotationId: string, text: string): Promise<void>;
  /** Resolves a thread, which its author may do. */
  resolve(annotationId: string): Promise<void>;
}

/** Returns the threads of a document, newest first. */
export function useThreads({ documentId }: { documentId: string }): ThreadsState {
  const { organizationId, userId } = useSession();
  const call = useRepeatableCall();
  const scope = { organizationId, documentId };
  const commentOf = (text: string, mentions: string[] = []) => [
    {
      from: { userId },
      commentText: text,
      taggedUserContacts: mentions.map((mentioned) => ({ userId: mentioned })),
      triggerActivities: true,
      triggerNotification: true,
    },
  ];
  const live = useLive<CommentAnnotation>(
    {
      ...{ scope, pageSize: PAGE_SIZE, idOf: THREADS.idOf },
      async read({ call }, page, signal) {
        const { data, pageToken } = await call("/v2/commentannotations/get", { ...scope, ...page }, { signal });
        return { data: Array.isArray(data) ? data.filter((thread) => thread !== null) : [], pageToken };
      },
      apply: applyToThreads,
    },
    JSON.stringify(scope),
  );
  return {
    ...live,
    async add(text, mentions) {
      const commentAnnotations = [{ commentData: commentOf(text, mentions) }];
      await call("/v2/commentannotations/add", { ...scope, commentAnnotations });
    },
    async reply(annotationId, text) {
      await call("/v2/commentannotations/comments/add", { ...scope, annotationId, commentData: commentOf(text) });
    },
    async resolve(annotationId) {
      const updatedData = { status: RESOLVED };
      await call("/v2/commentannotations/update", { ...scope, annotationIds: [annotationId], updatedData });
    },
  };
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
