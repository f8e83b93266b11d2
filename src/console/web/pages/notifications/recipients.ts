import type { Item } from "../../api/call.ts";
import type { Notification } from "../../api/records.ts";
import { userLabel } from "../../components/display-text.ts";
import { formatCount } from "../../components/numbers.ts";
import type { KnownUsers } from "../../components/UserField.tsx";

type OrganizationNotification = Item<"/v2/organizations/notifications/get">;
type Counted = Pick<OrganizationNotification, "recipients" | "recipientCount" | "readCount">;
type Named = Pick<Notification, "notifyUsersByUserId" | "readAtByUserId">;

/** A notification of an organization, which has its recipients, or of a document, which only has their IDs. */
export type ListedNotification = Notification & Partial<Counted>;

/** Maximum number of recipients that a list names. */
export const MAX_NAMED = 3;

interface Recipients {
  /** The first recipients. */
  shown: { userId: string; name?: string; email?: string }[];
  total: number;
  read: number;
}

/** Returns who got a notification, by its record: those whom it names, and those who have read it. */
export function getRecipients(notification: Named & Partial<Counted>): Recipients {
  const { recipients, recipientCount, readCount, notifyUsersByUserId, readAtByUserId = {} } = notification;
  if (recipients !== undefined && recipientCount !== undefined && readCount !== undefined) {
    return { shown: recipients.map(({ user }) => user), total: recipientCount, read: readCount };
  }
  const readers = Object.keys(readAtByUserId);
  const userIds = [...new Set([...Object.keys(notifyUsersByUserId), ...readers])];
  return { shown: userIds.map((userId) => ({ userId })), total: userIds.length, read: readers.length };
}

/** Returns the recipients with the names that are known. */
export function withNames(recipients: Recipients, users: KnownUsers): Recipients {
  return { ...recipients, shown: recipients.shown.map((user) => users.get(user.userId) ?? user) };
}

/** Returns the names of the recipients, such as "Ada, Grace and 3 others". */
export function recipientNames({ shown, total }: Recipients): string {
  const names = shown.slice(0, total > MAX_NAMED ? 2 : MAX_NAMED).map(userLabel);
  const others = total - names.length;
  if (others > 0) return `${names.join(", ")} and ${formatCount(others)} ${others === 1 ? "other" : "others"}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Returns how many recipients have read a notification, such as "2 of 3 read". */
export function readState({ total, read }: Pick<Recipients, "total" | "read">): string {
  if (read === 0) return "unread";
  return total === 1 ? "read" : `${formatCount(read)} of ${formatCount(total)} read`;
}
