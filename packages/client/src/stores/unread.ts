import type { StreamEvent } from "../events.ts";
import { INBOX_KINDS } from "./inbox-kinds.ts";
import { LiveList } from "./live-list.ts";
import { type LiveData, type LiveStore, toStore } from "./live-store.ts";
import { optimisticList } from "./optimistic-list.ts";
import { getStore, type Session } from "./session.ts";
import type { Scope } from "./shared-stream.ts";
import { computedStore, type Store } from "./store.ts";

/** Kinds of the events that may change the number of unread threads. */
const COUNTED_KINDS: readonly StreamEvent["event"][] = [
  "comment_annotation.add",
  "comment_annotation.update",
  "comment_annotation.delete",
  "comment_annotation.read",
  "comment.add",
  "comment.delete",
];

/** Returns the store of the number of threads of a document with comments that the user has not read. */
export function unreadThreadsStore(session: Session, { documentId }: { documentId: string }): UnreadThreadsStore {
  const { organizationId, userId } = session;
  return countStore(session, ["unreadThreads", documentId], {
    ...{ scope: { organizationId, documentId }, kinds: COUNTED_KINDS },
    async count({ call }, signal) {
      const request = { organizationId, documentIds: [documentId], userId, includeUnreadIds: true };
      const { data } = await call("/v2/commentannotations/count/get", request, { signal });
      return { count: data[documentId]?.unread ?? 0, ids: data[documentId]?.unreadIds ?? [] };
    },
  });
}

/** Returns the store of the number of unread notifications in the inbox. */
export function unreadNotificationsStore(session: Session): CountStore {
  const { organizationId, userId } = session;
  return countStore(session, ["unreadNotifications"], {
    ...{ scope: { organizationId }, kinds: INBOX_KINDS },
    async count({ call }, signal) {
      const { data } = await call("/v2/notifications/count/get", { organizationId, userIds: [userId] }, { signal });
      return { count: data[userId]?.unread ?? 0, ids: [] };
    },
  });
}

/** The number of what is unread, and the IDs of the newest. */
interface UnreadCount {
  count: number;
  ids: readonly string[];
}

/** What is counted, and the events that may change the number. */
interface Counted {
  scope: Scope;
  kinds: readonly StreamEvent["event"][];
  count(client: Session["client"], signal: AbortSignal): Promise<UnreadCount>;
}

/** The number of unread threads of a document. */
export interface UnreadThreadsData extends LiveData<number> {
  /** Annotation IDs of the newest 1,000 of them. */
  unreadIds: readonly string[];
}

/** A store of the unread threads of a document. */
export type UnreadThreadsStore = Store<UnreadThreadsData> & Omit<CountStore, keyof Store<unknown>>;

/** A store of a number that the service counts. */
export interface CountStore extends LiveStore<number> {
  /** Shows the number without what a call marks as read, by default all, until it has been counted again. */
  markRead(ids: readonly string[] | undefined, call: () => Promise<unknown>): Promise<unknown>;
  /** The number as it was counted: another object each time. */
  counted: Store<{ count: number } | undefined>;
}

const NONE: UnreadCount = { count: 0, ids: [] };

function countStore(session: Session, key: string[], { scope, kinds, count }: Counted): UnreadThreadsStore {
  return getStore(session, key, (context) => {
    const getId = () => 0;
    const list = toStore(
      new LiveList<UnreadCount>(context, {
        ...{ scope, getId },
        read: async (client, _page, signal) => ({ data: [await count(client, signal)] }),
        apply: ({ data }, { event }) => (kinds.includes(event) ? "read" : data),
      }),
    );
    const expected = optimisticList(list, { client: session.client, getId, add: ({ data }) => data });
    const store = computedStore((read): UnreadThreadsData => {
      const { data, isLoading, error, isLive } = read(expected);
      const { count, ids } = data[0] ?? NONE;
      return { data: count, unreadIds: ids, isLoading, error, isLive };
    });
    return {
      ...{ ...store, retry: list.retry, counted: computedStore((read) => read(list).data[0]) },
      markRead(read, call) {
        const apply = (known: UnreadCount | undefined) => {
          const ids = read && known?.ids.filter((id) => !read.includes(id));
          return known && (ids ? { count: known.count - known.ids.length + ids.length, ids } : NONE);
        };
        const isRead = ({ count, ids }: UnreadCount) => (read ? !ids.some((id) => read.includes(id)) : count === 0);
        return expected.run([{ id: 0, apply, isApplied: (known) => known !== undefined && isRead(known) }], call);
      },
    };
  });
}

/** What the user has not read. */
export interface Unread {
  /** Number of unread notifications in the inbox. */
  notifications: number;
  /** Number of threads of the document with comments that the user has not read; 0 without a document. */
  threads: number;
}

/** Returns the store of how much the user has not read, in the inbox and, with `documentId`, in a document. */
export function unreadStore(
  session: Session,
  { documentId }: { documentId?: string | undefined } = {},
): LiveStore<Unread> {
  return getStore(session, ["unread", documentId], () => {
    const notifications = unreadNotificationsStore(session);
    const threads = documentId === undefined ? undefined : unreadThreadsStore(session, { documentId });
    const store = computedStore((read): LiveData<Unread> => {
      const states = [notifications, ...(threads ? [threads] : [])].map(read);
      return {
        data: { notifications: states[0]?.data ?? 0, threads: states[1]?.data ?? 0 },
        isLoading: states.some(({ isLoading }) => isLoading),
        error: states.find(({ error }) => error !== undefined)?.error,
        isLive: states.every(({ isLive }) => isLive),
      };
    });
    return { ...store, retry: notifications.retry };
  });
}
