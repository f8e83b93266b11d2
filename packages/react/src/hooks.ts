import type { ChangeEvent, Item, ResponseData } from "@colloquy/client";
import { useSession } from "./provider.tsx";
import { type Live, upsert, useLive } from "./use-live.ts";

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
export function useActivities({ documentId }: { documentId?: string | undefined } = {}): Live<Activity[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  return useLive<Activity>(
    {
      scope,
      read: async ({ call }, signal) =>
        (await call("/v2/activities/get", { ...scope, pageSize: PAGE_SIZE }, { signal })).data,
      apply(activities, event) {
        const isSame = ({ id }: Activity) => id === event.subject.id;
        if (event.event === "activity.delete") return activities.filter((one) => !isSame(one));
        if (!event.event.startsWith("activity.")) return activities;
        return upsert(activities, recordOf<Activity>(event), isSame, "first");
      },
    },
    JSON.stringify(scope),
  );
}

/** The inbox of the user. */
export interface InboxState extends Live<Notification[]> {
  /** Marks notifications as read, all of them by default. */
  markRead(notificationIds?: string[]): Promise<void>;
}

/** Returns the inbox of the user, newest first. Notifications that are read leave it. */
export function useInbox(): InboxState {
  const { client, organizationId, userId } = useSession();
  const scope = { organizationId };
  const live = useLive<Notification>(
    {
      scope,
      read: async ({ call }, signal) =>
        (await call("/v2/notifications/get", { organizationId, userId, pageSize: PAGE_SIZE }, { signal })).data,
      apply(notifications, event) {
        if (!event.event.startsWith("notification.")) return notifications;
        if (event.subject.id === undefined) return "read";
        const isSame = ({ id }: Notification) => id === event.subject.id;
        if (event.event === "notification.delete") return notifications.filter((one) => !isSame(one));
        return upsert(notifications, recordOf<Notification>(event), isSame, "first");
      },
    },
    JSON.stringify([organizationId, userId]),
  );
  return {
    ...live,
    async markRead(notificationIds) {
      await client.call("/v2/notifications/read", { organizationId, userId, notificationIds });
    },
  };
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<PresentUser[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  return useLive<PresentUser>(
    {
      scope,
      read: async ({ call }, signal) => (await call("/v2/presence/get", scope, { signal })).data,
      apply(users, event) {
        const isSame = ({ userId }: PresentUser) => userId === event.subject.userId;
        if (event.event === "presence.delete") return users.filter((one) => !isSame(one));
        return event.event === "presence.update" ? upsert(users, recordOf<PresentUser>(event), isSame, "last") : users;
      },
    },
    JSON.stringify(scope),
  );
}

/** The threads of a document, and what the user can do with them. */
export interface ThreadsState extends Live<Thread[]> {
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
      scope,
      async read({ call }, signal) {
        const { data } = await call("/v2/commentannotations/get", { ...scope, pageSize: PAGE_SIZE }, { signal });
        return Array.isArray(data) ? data.filter((thread) => thread !== null) : [];
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

function applyToThreads(threads: Thread[], event: ChangeEvent): Thread[] {
  const { annotationId, commentId } = event.subject;
  const isSame = (thread: Thread) => thread.annotationId === annotationId;
  if (event.event === "comment_annotation.delete") return threads.filter((thread) => !isSame(thread));
  if (event.event.startsWith("comment_annotation.")) {
    return upsert(threads, recordOf<Thread>(event), isSame, "first");
  }
  if (!event.event.startsWith("comment.")) return threads;
  const isComment = (comment: Comment) => comment.commentId === commentId;
  const changed = (comments: Comment[]) =>
    event.event === "comment.delete"
      ? comments.filter((comment) => !isComment(comment))
      : upsert(comments, recordOf<Comment>(event), isComment, "last");
  return threads.map((thread) => (isSame(thread) ? { ...thread, comments: changed(thread.comments) } : thread));
}
