import type { Notification } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type PagesActions, type PagesData, toStore } from "./live-store.ts";
import { type Change, optimisticList } from "./optimistic-list.ts";
import { PAGE_SIZE, upsertByTime } from "./ordered-list.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, memoized, type Store } from "./store.ts";
import { unreadNotificationsStore } from "./unread.ts";

/** The part of the inbox to follow. */
export interface InboxOptions {
  /** Whether to leave out what the user has archived, which is the default, to return only that, or both. */
  archived?: "exclude" | "only" | "include" | undefined;
}

/** The inbox of the user. */
export interface InboxData extends PagesData<Notification[]> {
  /** Number of unread notifications in the whole inbox. */
  unreadCount: number;
}

/** What the user can do with the inbox. Each action throws if the service rejects it. */
export interface InboxActions {
  /** Marks notifications as read, all of them by default. They stay in the inbox. */
  markRead(notificationIds?: string[]): Promise<void>;
  /** Moves notifications from the inbox to the archive, where they are read. */
  archive(notificationIds: string[]): Promise<void>;
  /** Moves notifications from the archive back to the inbox. */
  restore(notificationIds: string[]): Promise<void>;
  /** Deletes notifications from the inbox and the archive. */
  remove(notificationIds: string[]): Promise<void>;
}

/** A store of the inbox, with what the user can do with it. */
export type InboxStore = Store<InboxData> & PagesActions & InboxActions;

const ORDER = { getId: ({ id }: Notification) => id, getTime: ({ timestamp }: Notification) => timestamp };

/** Returns the store of the inbox of the user, or of the archive, newest first. */
export function inboxStore(session: Session, { archived = "exclude" }: InboxOptions = {}): InboxStore {
  const { organizationId, userId } = session;
  const own = { organizationId, userId };
  const isShown = ({ archivedAt }: Notification) =>
    archived === "include" || (archivedAt !== undefined) === (archived === "only");
  return getStore(session, ["inbox", archived], (context) => {
    const list = toStore(
      new LiveList<Notification>(context, {
        ...{ scope: { organizationId }, pageSize: PAGE_SIZE, getId: ORDER.getId },
        read: ({ call }, page, signal) => call("/v2/notifications/get", { ...own, archived, ...page }, { signal }),
        apply(list, event) {
          switch (event.event) {
            case "notification.add":
            case "notification.update":
              if (!event.record) return "read";
              return upsertByTime(list, event.record, ORDER).filter(isShown);
            case "notification.delete":
              return list.data.filter(({ id }) => id !== event.subject.id);
            case "comment_annotation.delete":
            case "document.delete":
              return list.data.some(({ metadata }) => metadata.documentId === event.documentId) ? "read" : list.data;
            default:
              return list.data;
          }
        },
      }),
    );
    const { client } = context;
    const inbox = optimisticList(list, { client, getId: ORDER.getId, add: ({ data }) => data, isShown });
    const unread = unreadNotificationsStore(session);
    /** The notifications in the list that were unread when the service had counted all. */
    const getCounted = memoized((_count: unknown) => getUnreadIds(list.getState().data));
    const store = computedStore((read): InboxData => {
      const state = read(inbox);
      const unreadIds = getUnreadIds(state.data);
      // The service counts what the store has not read.
      const counted = state.hasMore || archived === "only" ? read(unread) : undefined;
      const error = state.error ?? counted?.error;
      const known = counted && read(unread.counted);
      if (!known) return { ...state, unreadCount: unreadIds.size, error };
      const changed = [...getCounted(known)].filter((id) => !unreadIds.has(id));
      return { ...state, unreadCount: Math.max(0, known.count - changed.length), error };
    });

    const { call } = client;
    return {
      ...{ ...list, ...store },
      async markRead(notificationIds) {
        const isRead = { isRead: true, readAt: Date.now() };
        const read = changes(notificationIds ?? getUnreadIds(list.getState().data), {
          apply: (known) => ({ ...known, ...isRead }),
          isApplied: (known) => known.isRead === true,
        });
        const request = { ...own, notificationIds, persistReadForUsers: true };
        await inbox.run(read, () => call("/v2/notifications/read", request));
      },
      async archive(notificationIds) {
        const isArchived = { isRead: true, archivedAt: Date.now() };
        const archiving = changes(notificationIds, {
          apply: (known) => ({ ...known, ...isArchived }),
          isApplied: ({ archivedAt }) => archivedAt !== undefined,
        });
        await inbox.run(archiving, () => call("/v2/notifications/archive", { ...own, notificationIds }));
      },
      async restore(notificationIds) {
        const restoring = changes(notificationIds, {
          apply: ({ archivedAt: _, ...known }) => known,
          isApplied: ({ archivedAt }) => archivedAt === undefined,
        });
        await inbox.run(restoring, () => call("/v2/notifications/restore", { ...own, notificationIds }));
      },
      async remove(notificationIds) {
        const removing = changes(notificationIds, { apply: () => undefined, isApplied: () => false });
        const request = { ...own, notificationIds, archived: "include" as const };
        await inbox.run(removing, () => call("/v2/notifications/delete", request));
      },
    };
  });
}

function getUnreadIds(notifications: Notification[]): Set<string> {
  return new Set(notifications.filter(({ isRead }) => !isRead).map(({ id }) => id));
}

/** Returns the same change of several notifications. The list may not have all of them. */
function changes(
  ids: Iterable<string>,
  {
    apply,
    isApplied,
  }: { apply(known: Notification): Notification | undefined; isApplied(known: Notification): boolean },
): Change<Notification>[] {
  return Array.from(ids, (id) => ({
    id,
    apply: (known) => known && apply(known),
    isApplied: (known) => known === undefined || isApplied(known),
  }));
}
