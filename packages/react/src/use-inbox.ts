import type { Notification } from "@colloquy/client";
import { useMemo } from "react";
import { INBOX_KINDS } from "./inbox-kinds.ts";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, PAGE_SIZE, placeByTime, useLive } from "./use-live.ts";

/** Options of `useInbox`. */
export interface InboxOptions {
  /** Whether to leave out what the user has archived, which is the default, to return only that, or both. */
  archived?: "exclude" | "only" | "include" | undefined;
}

/** The inbox of the user. */
export interface InboxState extends LivePages<Notification[]> {
  /** Number of unread notifications in the whole inbox. */
  unreadCount: number;
  /** Marks notifications as read, all of them by default. They stay in the inbox. */
  markRead(notificationIds?: string[]): Promise<void>;
  /** Moves notifications from the inbox to the archive, where they are read. */
  archive(notificationIds: string[]): Promise<void>;
  /** Moves notifications from the archive back to the inbox. */
  restore(notificationIds: string[]): Promise<void>;
  /** Deletes notifications from the inbox and the archive. */
  remove(notificationIds: string[]): Promise<void>;
}

/** Returns the inbox of the user, or the archive, newest first. */
export function useInbox({ archived = "exclude" }: InboxOptions = {}): InboxState {
  const { client, organizationId, userId } = useSession();
  const order = { getId: ({ id }: Notification) => id, getTime: ({ timestamp }: Notification) => timestamp };
  const isShown = ({ archivedAt }: Notification) =>
    archived === "include" || (archivedAt !== undefined) === (archived === "only");
  const live = useLive<Notification>(
    {
      ...{ scope: { organizationId }, pageSize: PAGE_SIZE, getId: order.getId },
      read({ call }, page, signal) {
        return call("/v2/notifications/get", { organizationId, userId, archived, ...page }, { signal });
      },
      apply(list, event) {
        switch (event.event) {
          case "notification.add":
          case "notification.update":
            if (!event.record) return "read";
            return placeByTime(list, event.record, order).filter(isShown);
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
    JSON.stringify(["inbox", organizationId, userId, archived]),
  );
  const counted = useUnreadCount({ isNeeded: live.hasMore || archived === "only" });
  const shown = live.data.filter(({ isRead }) => !isRead).length;
  const changes = useMemo(() => {
    const own = { organizationId, userId };
    return {
      async markRead(notificationIds?: string[]) {
        await client.call("/v2/notifications/read", { ...own, notificationIds, persistReadForUsers: true });
      },
      async archive(notificationIds: string[]) {
        await client.call("/v2/notifications/archive", { ...own, notificationIds });
      },
      async restore(notificationIds: string[]) {
        await client.call("/v2/notifications/restore", { ...own, notificationIds });
      },
      async remove(notificationIds: string[]) {
        await client.call("/v2/notifications/delete", { ...own, notificationIds, archived: "include" });
      },
    };
  }, [client, organizationId, userId]);
  return { ...live, ...changes, unreadCount: counted.data[0] ?? shown, error: live.error ?? counted.error };
}

/** Counts the unread notifications of an inbox, which is only needed if the hook has not read all of it. */
function useUnreadCount({ isNeeded }: { isNeeded: boolean }): Live<number[]> {
  const { organizationId, userId } = useSession();
  return useLive<number>(
    {
      scope: { organizationId },
      getId: (count) => count,
      async read({ call }, _page, signal) {
        if (!isNeeded) return { data: [] };
        const { data } = await call("/v2/notifications/count/get", { organizationId, userIds: [userId] }, { signal });
        return { data: [data[userId]?.unread ?? 0] };
      },
      apply: ({ data }, { event }) => (isNeeded && INBOX_KINDS.includes(event) ? "read" : data),
    },
    JSON.stringify(["unread", organizationId, userId, isNeeded]),
  );
}
