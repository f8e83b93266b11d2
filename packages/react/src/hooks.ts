import type { ChangeEvent, Item, ResponseData } from "@colloquy/client";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, placeByTime, placeLast, useLive } from "./use-live.ts";

/** An entry of an activity feed. */
export type Activity = Item<"/v2/activities/get">;
/** A notification in an inbox. */
export type Notification = Item<"/v2/notifications/get">;
/** A user in a document. */
export type PresentUser = Item<"/v2/presence/get">;
/** A comment of a thread. */
export type Comment = NonNullable<Item<"/v2/commentannotations/comments/get">>;
/** A thread: an annotation with its comments. */
export type Thread = NonNullable<Extract<ResponseData<"/v2/commentannotations/get">, readonly unknown[]>[number]>;

const PAGE_SIZE = 50;
const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal" as const };

/** Casts the record of an event, which is what the list has for these kinds. */
function recordOf<Record>({ record }: ChangeEvent): Record {
  return record as Record;
}

/** Returns the newest activities of the organization or of one document, newest first. */
export function useActivities({ documentId }: { documentId?: string | undefined } = {}): LivePages<Activity[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  const order = { idOf: ({ id }: Activity) => id, timeOf: ({ timestamp }: Activity) => timestamp };
  return useLive<Activity>(
    {
      ...{ scope, pageSize: PAGE_SIZE, idOf: order.idOf },
      read: ({ call }, page, signal) => call("/v2/activities/get", { ...scope, ...page }, { signal }),
      apply(list, event) {
        if (!event.event.startsWith("activity.")) return list.data;
        if (event.event === "activity.delete") return list.data.filter(({ id }) => id !== event.subject.id);
        return placeByTime(list, recordOf<Activity>(event), order);
      },
    },
    JSON.stringify(scope),
  );
}

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
        if (!event.event.startsWith("notification.")) return list.data;
        if (event.subject.id === undefined) return "read";
        if (event.event === "notification.delete") return list.data.filter(({ id }) => id !== event.subject.id);
        return placeByTime(list, recordOf<Notification>(event), order);
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
      apply: ({ data }, { event }) => (isNeeded && event.startsWith("notification.") ? "read" : data),
    },
    JSON.stringify([organizationId, userId, isNeeded]),
  );
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<PresentUser[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  const idOf = ({ userId }: PresentUser) => userId;
  return useLive<PresentUser>(
    {
      ...{ scope, idOf },
      read: ({ call }, _page, signal) => call("/v2/presence/get", scope, { signal }),
      apply({ data }, event) {
        if (event.event === "presence.delete") return data.filter(({ userId }) => userId !== event.subject.userId);
        return event.event === "presence.update" ? placeLast(data, recordOf<PresentUser>(event), idOf) : data;
      },
    },
    JSON.stringify(scope),
  );
}

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends LivePages<Thread[]> {
  /** Starts a thread, and notifies the users with these IDs. */
  add(text: string, mentions?: string[]): Promise<void>;
  /** Adds a comment to a thread, and notifies all who take part in it. */
  reply(annotationId: string, text: string): Promise<void>;
  /** Resolves a thread, which its author may do. */
  resolve(annotationId: string): Promise<void>;
}

/** Returns the threads of a document, newest first. */
export function useThreads({ documentId }: { documentId: string }): ThreadsState {
  const { client, organizationId, userId } = useSession();
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
  const live = useLive<Thread>(
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
      await client.call("/v2/commentannotations/add", { ...scope, commentAnnotations });
    },
    async reply(annotationId, text) {
      const request = { ...scope, annotationId, commentData: commentOf(text) };
      await client.call("/v2/commentannotations/comments/add", request);
    },
    async resolve(annotationId) {
      const updatedData = { status: RESOLVED };
      await client.call("/v2/commentannotations/update", { ...scope, annotationIds: [annotationId], updatedData });
    },
  };
}

const THREADS = { idOf: (thread: Thread) => thread.annotationId, timeOf: (thread: Thread) => thread.createdAt };

function applyToThreads(list: { data: Thread[]; hasMore: boolean }, event: ChangeEvent): Thread[] {
  const { annotationId } = event.subject;
  const isSame = (thread: Thread) => thread.annotationId === annotationId;
  if (event.event === "comment_annotation.delete") return list.data.filter((thread) => !isSame(thread));
  if (event.event.startsWith("comment_annotation.")) return placeByTime(list, recordOf<Thread>(event), THREADS);
  if (!event.event.startsWith("comment.")) return list.data;
  return list.data.map((thread) =>
    isSame(thread) ? { ...thread, comments: applyToComments(thread.comments, event) } : thread,
  );
}

function applyToComments(comments: Comment[], event: ChangeEvent): Comment[] {
  if (event.event === "comment.delete")
    return comments.filter(({ commentId }) => commentId !== event.subject.commentId);
  return placeLast(comments, recordOf<Comment>(event), ({ commentId }) => commentId);
}
