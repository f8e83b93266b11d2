import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { CHUNK_ROWS } from "../../database/records.ts";
import {
  bigint,
  bigints,
  EMPTY,
  identifier,
  integer,
  join,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
  uuids,
} from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { type AccessBlock, accessBlock, accessBlockOf, isInEnabledDocument } from "../tenancy/queries.ts";
import type { Scope } from "./notification.ts";

// To avoid deadlocks, statements lock rows in the order (created_at, sequence, user_id), which never changes. A change
// of a whole notification or of its recipients locks the notification first.

interface FoundOrganization {
  organizationKey: string;
  organizationId: string;
  block: AccessBlock | null;
}

/** Returns the organizations of a workspace that have a document of this id, except those being deleted. */
export function selectOrganizationsWith(
  database: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<FoundOrganization[]> {
  return database.run(
    sql<FoundOrganization>`select organization.organization_key as "organizationKey",
        organization.organization_id as "organizationId", ${accessBlockOf("organization", "document")} as block
      from documents document join organizations organization using (organization_key)
      where document.document_id = ${text(documentId)} and organization.workspace_id = ${uuid(workspaceId)}
        and organization.deleted_at is null
      order by organization.organization_id`,
  );
}

/** The JSON text of a notification as it is answered: the timestamp, then the record as sent. */
export const ANSWERED = {
  expression: sql`'{"timestamp":' || created_at || ',' || right(record::text, -1)`,
  columns: [],
};

/** Maximum number of readers in an answered notification. */
const MAX_READERS = 100;

/** The same with the first users who have read it, whom the rows have as `readers`. */
const ANSWERED_TO_ALL = {
  expression: sql`'{"timestamp":' || created_at || ',"readAtByUserId":' || readers || ',' || right(record::text, -1)`,
  columns: ["readers"],
};

/** Returns the readers of the row `notification`. PostgreSQL evaluates this only for the rows of the page. */
function readers(organization: Parameter | Sql): Sql {
  return sql`coalesce((
      select json_object_agg(user_id, read_at) from (
        select recipient.user_id, recipient.read_at from notification_recipients recipient
        where recipient.organization_key = ${organization} and recipient.sequence = notification.sequence
          and recipient.read_at is not null
        order by recipient.read_at limit ${integer(MAX_READERS)}
      ) as reader
    )::text, '{}')`;
}

/** The same with the read state of the user whose `read_at` the rows have. */
export const ANSWERED_TO_USER = {
  expression: sql`'{"timestamp":' || created_at || ',"isRead":'
    || coalesce('true,"readAt":' || read_at, 'false') || ',' || right(record::text, -1)`,
  columns: ["read_at"],
};

/**
 * Reads one page of a user's inbox or, without a user, of all matching notifications. `extra` is the access block of a
 * single organization. With several organizations all matches are sorted; they share one sequence, so the order is
 * total too.
 */
export function selectNotificationPage(
  database: Queryable,
  organization: string | string[],
  scope: Scope,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(database, {
    source: pageSource(organization, scope),
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    extra: typeof organization === "string" ? accessBlock(organization, scope.documentId) : sql`null`,
    answered: scope.userId === undefined ? ANSWERED_TO_ALL : ANSWERED_TO_USER,
    ...page,
  });
}

function pageSource(organization: string | string[], scope: Scope): Sql {
  const { userId, notificationIds, ...place } = scope;
  const keyOf = (row: Sql) => (typeof organization === "string" ? uuid(organization) : sql`${row}.organization_key`);
  if (userId === undefined) {
    return sql`from (
        select notification.*, ${readers(keyOf(sql`notification`))} as readers from notifications notification
        where ${matchesScope(organization, scope, "notification")}
      ) as notification where true`;
  }
  if (notificationIds !== undefined) {
    const matchesPlace = matchesScope(organization, { ...place, notificationIds }, "notification");
    return sql`from notifications notification cross join lateral (
        select read_at from notification_recipients recipient
        where recipient.organization_key = ${keyOf(sql`notification`)}
          and recipient.sequence = notification.sequence and recipient.user_id = ${text(userId)} and recipient.in_list
      ) as recipient where ${matchesPlace}`;
  }
  // The limit of one keeps the planner from starting with the organization's notifications.
  return sql`from notification_recipients recipient cross join lateral (
      select record, record_bytes from notifications notification
      where notification.organization_key = ${keyOf(sql`recipient`)}
        and notification.sequence = recipient.sequence limit 1
    ) as notification where ${matchesScope(organization, scope, "recipient")}`;
}

/**
 * Returns the condition of a scope for rows of `notification_recipients` that are in the user's inbox or for rows of
 * `notifications`, by their alias. With a user, the latter match if the user has received them, in the inbox or not.
 */
export function matchesScope(
  organization: string | string[],
  { documentId, locationId, userId, notificationIds }: Scope,
  alias: "notification" | "recipient",
): Sql {
  const row = identifier(alias);
  const isOne = typeof organization === "string";
  const isInOrganization = isOne ? sql`= ${uuid(organization)}` : sql`= any(${uuids(organization)})`;
  const conditions = [sql`${row}.organization_key ${isInOrganization}`];
  conditions.push(
    documentId === undefined
      ? isInEnabledDocument(isOne ? uuid(organization) : sql`${row}.organization_key`, sql`${row}.document_id`)
      : sql`${row}.document_id = ${text(documentId)}`,
  );
  if (locationId !== undefined) conditions.push(sql`${row}.location_id = ${text(locationId)}`);
  if (userId !== undefined) {
    const isUser = sql`recipient.user_id = ${text(userId)}`;
    const isRecipient = sql`exists (select from notification_recipients recipient
      where recipient.organization_key = ${isOne ? uuid(organization) : sql`notification.organization_key`}
        and recipient.sequence = notification.sequence and ${isUser})`;
    conditions.push(alias === "recipient" ? sql`${isUser} and recipient.in_list` : isRecipient);
  }
  if (notificationIds !== undefined) {
    const isAsked = sql`id = any(${texts(notificationIds)})`;
    const sequences = sql`select sequence from notifications where organization_key ${isInOrganization} and ${isAsked}`;
    conditions.push(alias === "recipient" ? sql`recipient.sequence in (${sequences})` : sql`notification.${isAsked}`);
  }
  return join(conditions, " and ");
}

export interface LockedNotification {
  documentId: string;
  locationId: string | null;
  /** `actionUser.userId` */
  userId: string;
  /** Null if an earlier version wrote the notification. */
  notifyAll: boolean | null;
  createdAt: number;
  sequence: number;
  record: string;
  /** Current time of the database, in milliseconds since the epoch. */
  now: number;
}

/** Locks the matching notifications, with a user including those that left the inbox. Returns them by id. */
export async function lockNotifications(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
): Promise<Map<string, LockedNotification>> {
  const rows = await transaction.run(
    sql<LockedNotification & { id: string }>`select id, document_id as "documentId", location_id as "locationId",
        user_id as "userId", notify_all as "notifyAll", created_at as "createdAt", sequence, record::text as record,
        ${NOW_MS} as now
      from notifications notification where ${matchesScope(organizationKey, scope, "notification")}
      order by created_at, sequence for update`,
  );
  return new Map(rows.map(({ id, ...notification }) => [id, notification]));
}

/** Replaces the records of locked notifications. */
export async function replaceNotificationRecords(
  transaction: Queryable,
  organizationKey: string,
  notifications: { id: string; userId: string; locationId: string | null; record: string }[],
): Promise<void> {
  await transaction.run(
    sql`update notifications set record = merged.record::json, record_bytes = octet_length(merged.record),
        user_id = merged.user_id, location_id = merged.location_id
      from unnest(
        ${texts(notifications.map(({ id }) => id))},
        ${texts(notifications.map(({ userId }) => userId))},
        ${texts(notifications.map(({ locationId }) => locationId))},
        ${texts(notifications.map(({ record }) => record))}
      ) as merged (id, user_id, location_id, record)
      where notifications.organization_key = ${uuid(organizationKey)} and notifications.id = merged.id`,
  );
}

/** Position of a locked notification in the order of its change. */
export interface LockedPosition {
  createdAt: number;
  sequence: number;
}

/**
 * Locks the 5,000 oldest matches after a position, in an inbox or, without a user, of all notifications. Returns their
 * positions, oldest first. A change that started over would read again what its transaction has changed. `isUnread`
 * requires a user.
 */
export function lockPositions(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
  { after, isUnread = false }: { after: LockedPosition | undefined; isUnread?: boolean },
): Promise<LockedPosition[]> {
  const isOfUser = scope.userId !== undefined;
  const alias = isOfUser ? "recipient" : "notification";
  const table = sql`${isOfUser ? sql`notification_recipients` : sql`notifications`} ${identifier(alias)}`;
  const afterCursor = after
    ? sql`and (${identifier(alias)}.created_at, ${identifier(alias)}.sequence)
        > (${bigint(after.createdAt)}, ${bigint(after.sequence)})`
    : EMPTY;
  return transaction.run(
    unprepared(
      sql<LockedPosition>`select created_at as "createdAt", sequence from ${table}
        where ${matchesScope(organizationKey, scope, alias)} ${isUnread ? sql`and read_at is null` : EMPTY}
          ${afterCursor}
        order by created_at, sequence limit ${integer(CHUNK_ROWS)} for update`,
    ),
  );
}

/** Deletes locked notifications for everyone. Returns their ids, oldest first. */
export async function deleteNotificationRows(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<string[]> {
  const rows = await transaction.run(
    unprepared(
      sql<{ id: string }>`with deleted as (
          delete from notifications
          where organization_key = ${uuid(organizationKey)} and sequence = any(${bigints(sequences)})
          returning id, created_at, sequence
        )
        select id from deleted order by created_at, sequence`,
    ),
  );
  await deleteRecipients(transaction, organizationKey, sequences);
  return rows.map(({ id }) => id);
}

/** Deletes the recipients in statements of their own, which see what was committed while the lock was awaited. */
async function deleteRecipients(transaction: Queryable, organizationKey: string, sequences: number[]): Promise<void> {
  await lockRecipients(transaction, organizationKey, sequences);
  await transaction.run(
    unprepared(
      sql`delete from notification_recipients
        where organization_key = ${uuid(organizationKey)} and sequence = any(${bigints(sequences)})`,
    ),
  );
}

/** Locks the recipients of locked notifications. */
export async function lockRecipients(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<void> {
  await transaction.run(
    unprepared(
      sql`select from notification_recipients
        where organization_key = ${uuid(organizationKey)} and sequence = any(${bigints(sequences)})
        order by created_at, sequence, user_id for update`,
    ),
  );
}
