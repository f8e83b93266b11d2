import type { Notification } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type PagesActions, type PagesData, toStore } from "./live-store.ts";
import { PAGE_SIZE, placeByTime } from "./places.ts";
import { getStore, type Session } from "./session.ts";
import { computedStore, type Store } from "./store.ts";
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
              return placeByTime(list, event.record, ORDER).filter(isShown);
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
    const unread = unreadNotificationsStore(session);
    const store = computedStore((read): InboxData => {
      const state = read(list);
      const shown = state.data.filter(({ isRead }) => !isRead).length;
      // The service counts what the store has not read.
      const counted = state.hasMore || archived === "only" ? read(unread) : undefined;
      const isCounted = counted && !counted.isLoading && counted.error === undefined;
      return { ...state, unreadCount: isCounted ? counted.data : shown, error: state.error ?? counted?.error };
    });
    const { call } = context.client;
    return {
      ...{ ...list, ...store },
      async markRead(notificationIds) {
        await call("/v2/notifications/read", { ...own, notificationIds, persistReadForUsers: true });
      },
      async archive(notificationIds) {
        await call("/v2/notifications/archive", { ...own, notificationIds });
      },
      async restore(notificationIds) {
        await call("/v2/notifications/restore", { ...own, notificationIds });
      },
      async remove(notificationIds) {
        await call("/v2/notifications/delete", { ...own, notificationIds, archived: "include" });
      },
    };
  });
}
