import type { Notification } from "@colloquy/client";
import { useCallback } from "react";
import { INBOX_KINDS } from "./inbox-kinds.ts";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, PAGE_SIZE, placeByTime, useLive } from "./use-live.ts";

/** The inbox of the user. */
export interface InboxState extends LivePages<Notification[]> {
  /** Number of unread notifications in the whole inbox. */
  unreadCount: number;
  /** Marks notifications as read, all of them by default. */
  markRead(notificationIds?: string[]): Promise<void>;
  /** Deletes notifications from the inbox. */
  remove(notificationIds: string[]): Promise<void>;
}

/** Returns the inbox of the user, newest first. Notifications that are read leave it. */
export function useInbox(): InboxState {
  const { client, organizationId, userId } = useSession();
  const order = { getId: ({ id }: Notification) => id, getTime: ({ timestamp }: Notification) => timestamp };
  const live = useLive<Notification>(
    {
      ...{ scope: { organizationId }, pageSize: PAGE_SIZE, getId: order.getId },
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
    JSON.stringify(["inbox", organizationId, userId]),
  );
  const counted = useUnreadCount({ isNeeded: live.hasMore });
  const shown = live.data.filter(({ isRead }) => !isRead).length;
  const markRead = useCallback(
    async (notificationIds?: string[]) => {
      await client.call("/v2/notifications/read", { organizationId, userId, notificationIds });
    },
    [client, organizationId, userId],
  );
  const remove = useCallback(
    async (notificationIds: string[]) => {
      await client.call("/v2/notifications/delete", { organizationId, userId, notificationIds });
    },
    [client, organizationId, userId],
  );
  return { ...live, unreadCount: counted.data[0] ?? shown, error: live.error ?? counted.error, markRead, remove };
}

/** Counts the unread notifications of an inbox, which is only needed if it has more than were read. */
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
