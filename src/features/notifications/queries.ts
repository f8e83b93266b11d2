import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { CHUNK_ROWS } from "../../database/records.ts";
import type { SelectValue } from "../../database/shared-select.ts";
import { ACCESS_BLOCK, type AccessBlock, accessBlockOf } from "../tenancy/queries.ts";
import type { Scope } from "./notification.ts";

// Whatever writes to several rows locks them in the order (created_at, sequence, user_id), which never changes, so
// that two transactions never wait for each other in a circle. What changes a notification or its recipients as a
// whole locks the notification first.

/** Those of the workspace that have a document of this id, by id, without those that are being deleted. */
export async function selectOrganizationsWith(
  database: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<{ organizationKey: string; organizationId: string; block: AccessBlock | null }[]> {
  const { rows } = await database.query<{ organizationKey: string; organizationId: string; block: AccessBlock | null }>(
    `select organization.organization_key as "organizationKey", organization.organization_id as "organizationId",
       ${accessBlockOf("organization")} as block
     from documents document join organizations organization using (organization_key)
     where document.document_id = $2 and organization.workspace_id = $1 and organization.deleted_at is null
     order by organization.organization_id`,
    [workspaceId, documentId],
  );
  return rows;
}

/**
 * One page of a user's list, or without a user of all that match. `extra` is the block of one organization. Of
 * several all that matches is sorted; the sequence is of one count for all of them, so their order is total too.
 */
export async function selectPage(
  database: Queryable,
  organization: string | string[],
  scope: Scope,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const isWholeList = scope.userId !== undefined && scope.notificationIds === undefined;
  const { condition, values } = conditionOf(organization, scope, isWholeList ? "recipient" : "notification");
  const isOne = typeof organization === "string";
  // The limit of one keeps the planner from starting with the organization's notifications.
  const source = isWholeList
    ? `from notification_recipients recipient cross join lateral (
         select record, record_bytes from notifications notification
         where notification.organization_key = ${isOne ? "$1" : "recipient.organization_key"}
           and notification.sequence = recipient.sequence limit 1
       ) as notification where ${condition}`
    : `from notifications notification where ${condition}`;
  return selectPageOfRecords(database, {
    source,
    keys: ["created_at", "sequence"],
    values,
    extra: isOne ? ACCESS_BLOCK : "null",
    ...page,
  });
}

/**
 * Of rows of `notifications` or `notification_recipients`, by their name in the statement. With a user, what has left
 * the user's list is in the scope only for `isLeftToo`.
 */
function conditionOf(
  organization: string | string[],
  scope: Scope,
  table: "notification" | "recipient",
  isLeftToo = false,
): { condition: string; values: SelectValue[] } {
  const values: SelectValue[] = [organization];
  const [isOfIt, itself] =
    typeof organization === "string" ? ["= $1", "$1"] : ["= any($1::uuid[])", "notification.organization_key"];
  const conditions = [`${table}.organization_key ${isOfIt}`];
  if (scope.documentId !== undefined) conditions.push(`${table}.document_id = $${values.push(scope.documentId)}`);
  if (scope.locationId !== undefined) conditions.push(`${table}.location_id = $${values.push(scope.locationId)}`);
  if (scope.userId !== undefined) {
    const isInList = `recipient.user_id = $${values.push(scope.userId)} ${isLeftToo ? "" : "and recipient.in_list"}`;
    const isRecipient = `exists (select from notification_recipients recipient
      where recipient.organization_key = ${itself} and recipient.sequence = notification.sequence and ${isInList})`;
    conditions.push(table === "recipient" ? isInList : isRecipient);
  }
  if (scope.notificationIds !== undefined) {
    const isAsked = `id = any($${values.push(scope.notificationIds)})`;
    const sequences = `select sequence from notifications where organization_key ${isOfIt} and ${isAsked}`;
    conditions.push(table === "recipient" ? `recipient.sequence in (${sequences})` : `notification.${isAsked}`);
  }
  return { condition: conditions.join(" and "), values };
}

export interface LockedNotification {
  sequence: number;
  record: string;
}

/** By id; with a user also what the user has read or deleted. */
export async function lockNotifications(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
): Promise<Map<string, LockedNotification>> {
  const { condition, values } = conditionOf(organizationKey, scope, "notification", true);
  const { rows } = await transaction.query<LockedNotification & { id: string }>(
    `select id, sequence, record::text as record from notifications notification where ${condition}
     order by created_at, sequence for update`,
    values,
  );
  return new Map(rows.map(({ id, ...notification }) => [id, notification]));
}

/** Of locked notifications; `userId` is null where the acting user stays. */
export async function replaceRecords(
  transaction: Queryable,
  organizationKey: string,
  notifications: { id: string; userId: string | null; record: string }[],
): Promise<void> {
  await transaction.query(
    `update notifications set record = merged.record::json, record_bytes = octet_length(merged.record),
       user_id = coalesce(merged.user_id, notifications.user_id)
     from unnest($2::text[], $3::text[], $4::text[]) as merged (id, user_id, record)
     where notifications.organization_key = $1 and notifications.id = merged.id`,
    [
      organizationKey,
      notifications.map(({ id }) => id),
      notifications.map(({ userId }) => userId),
      notifications.map(({ record }) => record),
    ],
  );
}

/** Of locked notifications. Who is no recipient has nothing to read; what has left a list does not come back. */
export async function markRead(
  transaction: Queryable,
  organizationKey: string,
  readings: { sequence: number; userId: string; stays: boolean }[],
): Promise<void> {
  await transaction.query(
    `with reading as (
       select recipient.sequence, recipient.user_id, given.stays
       from unnest($2::bigint[], $3::text[], $4::boolean[]) as given (sequence, user_id, stays)
       join notification_recipients recipient on recipient.organization_key = $1
         and recipient.sequence = given.sequence and recipient.user_id = given.user_id
       where recipient.read_at is null or (recipient.in_list and not given.stays)
       order by recipient.created_at, recipient.sequence, recipient.user_id for update of recipient
     )
     update notification_recipients recipient
     set read_at = coalesce(recipient.read_at, ${NOW_MS}), in_list = recipient.in_list and reading.stays
     from reading
     where recipient.organization_key = $1 and recipient.sequence = reading.sequence
       and recipient.user_id = reading.user_id`,
    [
      organizationKey,
      readings.map(({ sequence }) => sequence),
      readings.map(({ userId }) => userId),
      readings.map(({ stays }) => stays),
    ],
  );
}

/** What a deletion has locked. */
export interface Locked {
  createdAt: number;
  sequence: number;
}

/** Locks the oldest that match and come after `after`, 5,000 at most. Returns them, oldest first. */
export async function lockToDelete(
  transaction: Queryable,
  organizationKey: string,
  scope: Scope,
  after: Locked | undefined,
): Promise<Locked[]> {
  const { userId } = scope;
  const [table, name] =
    userId === undefined ? ["notifications", "notification"] : ["notification_recipients", "recipient"];
  const { condition, values } = conditionOf(
    organizationKey,
    scope,
    userId === undefined ? "notification" : "recipient",
  );
  const { rows } = await transaction.unprepared<Locked>(
    `select created_at as "createdAt", sequence from ${table} ${name}
     where ${condition} ${behind(name, values, after)}
     order by created_at, sequence limit ${CHUNK_ROWS} for update`,
    values,
  );
  return rows;
}

/** Of locked notifications, for everyone; returns their ids, oldest first. */
export async function deleteNotificationRows(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<string[]> {
  const { rows } = await transaction.unprepared<{ id: string }>(
    `with deleted as (
       delete from notifications where organization_key = $1 and sequence = any($2)
       returning id, created_at, sequence
     )
     select id from deleted order by created_at, sequence`,
    [organizationKey, sequences],
  );
  await deleteRecipients(transaction, organizationKey, sequences);
  return rows.map(({ id }) => id);
}

/** A statement of its own, so that it sees what the lock has waited for. */
async function deleteRecipients(transaction: Queryable, organizationKey: string, sequences: number[]): Promise<void> {
  await transaction.unprepared(
    `select from notification_recipients where organization_key = $1 and sequence = any($2)
     order by created_at, sequence, user_id for update`,
    [organizationKey, sequences],
  );
  await transaction.unprepared(
    "delete from notification_recipients where organization_key = $1 and sequence = any($2)",
    [organizationKey, sequences],
  );
}

/** Takes notifications, locked in the user's list, out of it; returns their ids, oldest first. */
export async function leaveList(
  transaction: Queryable,
  organizationKey: string,
  userId: string,
  sequences: number[],
): Promise<string[]> {
  await transaction.unprepared(
    `update notification_recipients set in_list = false
     where organization_key = $1 and user_id = $2 and sequence = any($3)`,
    [organizationKey, userId, sequences],
  );
  const { rows } = await transaction.unprepared<{ id: string }>(
    "select id from notifications where organization_key = $1 and sequence = any($2) order by created_at, sequence",
    [organizationKey, sequences],
  );
  return rows.map(({ id }) => id);
}

/** Adds to the parameters. Starting over would read again what the transaction has deleted. */
function behind(table: string, values: unknown[], after: Locked | undefined): string {
  if (!after) return "";
  values.push(after.createdAt, after.sequence);
  return `and (${table}.created_at, ${table}.sequence) > ($${values.length - 1}, $${values.length})`;
}
