import { integer, type Sql, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import { lockingOldest } from "../purge/old-rows-queries.ts";
import { IMPORTABLE } from "../purge/owned-tables.ts";
import { existedAt } from "../purge/purge-queries.ts";
import type { DeletedUsers } from "../purge/user-data-kind.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import { SERIALIZED, SERIALIZED_TO_USER } from "./notification-page-queries.ts";

/** Conditions on a recipient's row: whether the notification is in the user's inbox. */
export const IN_INBOX = sql`in_inbox`;
export const NOT_IN_INBOX = sql`not in_inbox`;

/** Maximum number of notifications that one transaction purges with their recipients, who may be very many. */
export const PURGE_CHUNK_NOTIFICATIONS = 200;

/** Returns the condition for the notifications of events in which the users acted. */
function matchesUsers({ key }: StoredOrganization, { userIds, accepted }: DeletedUsers): Sql {
  return sql`organization_key = ${uuid(key)} and user_id = any(${texts(userIds)})
    and ${existedAt(IMPORTABLE, accepted)}`;
}

/** Locks the next notifications of the users and skips locked ones. Returns their sequences. */
export async function lockUserNotifications(
  scope: InTransaction<StoredOrganization>,
  users: DeletedUsers,
): Promise<number[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ sequence: number }>`select sequence from notifications where ${matchesUsers(scope, users)}
        limit ${integer(PURGE_CHUNK_NOTIFICATIONS)} for update skip locked`,
    ),
  );
  return rows.map(({ sequence }) => sequence);
}

/** Locks the oldest notifications from before a time that are not locked. Returns their sequences. */
export async function lockNotificationsBefore(
  scope: InTransaction<StoredOrganization>,
  time: number,
  limit: number,
): Promise<number[]> {
  const rows = await scope.run(
    unprepared(sql<{ sequence: number }>`select sequence ${lockingOldest(scope, "notifications", time, limit)}`),
  );
  return rows.map(({ sequence }) => sequence);
}

export async function hasUserNotifications(scope: StoredOrganization, users: DeletedUsers): Promise<boolean> {
  const [row] = await scope.run(
    unprepared(
      sql<{ exist: boolean }>`select exists (select from notifications where ${matchesUsers(scope, users)}) as exist`,
    ),
  );
  return row?.exist === true;
}

/** Reads one page of the notifications of events in which a user acted, oldest first. */
export const selectNotificationExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from notifications where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["created_at", "sequence"],
  keyType: "bigint",
  serialized: SERIALIZED,
});

type Received = Parameters<Parameters<typeof userPages>[0]["source"]>[0];

/** Returns the notifications of a user that are in the inbox or not, by the condition on the recipient's row. */
function fromRecipients({ organizationKey, userId }: Received, condition: Sql): Sql {
  const key = uuid(organizationKey);
  return sql`from notification_recipients recipient cross join lateral (
      select record, record_bytes from notifications
      where organization_key = ${key} and sequence = recipient.sequence limit 1
    ) as notification where organization_key = ${key} and user_id = ${text(userId)} and ${condition}`;
}

/** Reads one page of the notifications that reached a user, read or not, oldest first. */
export const selectReceivedPage = userPages({
  source: (user) => fromRecipients(user, IN_INBOX),
  otherSource: (user) => fromRecipients(user, NOT_IN_INBOX),
  keys: ["created_at", "sequence"],
  keyType: "bigint",
  serialized: SERIALIZED_TO_USER,
});
