import type { OrganizationKey } from "../../database/keys.ts";
import {
  bigint,
  bigints,
  EMPTY,
  identifier,
  integer,
  join,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
  uuids,
} from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import type { AccessOrganization } from "../access/access-queries.ts";
import type {
  CrossTenantScope,
  InTransaction,
  OrganizationScope,
  StoredOrganization,
} from "../tenancy/organization-scope.ts";
import { CHUNK_ROWS } from "../tenancy/record-queries.ts";
import { type AccessBlock, buildJoinedBlock, isInEnabledDocument } from "../tenancy/tenancy-queries.ts";
import type { Selection } from "./notification.ts";
import { isSeenByRecipient } from "./notification-access-queries.ts";

// To avoid deadlocks, statements lock rows in the order (created_at, sequence, user_id), which never changes. A change
// of a whole notification or of its recipients locks the notification first.

interface FoundOrganization {
  organizationId: string;
  block: AccessBlock | null;
}

/** Returns the organizations of a workspace that have a document of this id, except those being deleted. */
export function selectOrganizationsWith(
  scope: CrossTenantScope,
  workspaceId: string,
  documentId: string,
): Promise<FoundOrganization[]> {
  return scope.run(
    sql<FoundOrganization>`select organization.organization_id as "organizationId",
        ${buildJoinedBlock("organization", "document")} as block
      from documents document join organizations organization using (organization_key)
      where document.document_id = ${text(documentId)} and organization.workspace_id = ${uuid(workspaceId)}
        and organization.deleted_at is null
      order by organization.organization_id`,
  );
}

/** Returns the condition that a row `recipient` is in the inbox, in the archive, or in either, as `archived` says. */
export function isInInboxOrArchive(archived: Selection["archived"] = "exclude"): Sql {
  if (archived === "include") return sql`(recipient.in_inbox or recipient.archived_at is not null)`;
  return archived === "only" ? sql`recipient.archived_at is not null` : sql`recipient.in_inbox`;
}

/**
 * Returns the condition of a scope for rows of `notification_recipients` that are in the user's inbox or archive, or
 * for rows of `notifications`, by their alias. With a user, the latter match if the user has received them, wherever
 * they are.
 */
export function matchesScope(
  organization: OrganizationKey | OrganizationKey[],
  { documentId, locationId, userId, notificationIds, archived }: Selection,
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
    conditions.push(alias === "recipient" ? sql`${isUser} and ${isInInboxOrArchive(archived)}` : isRecipient);
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
  scope: InTransaction<OrganizationScope>,
  selection: Selection,
): Promise<Map<string, LockedNotification>> {
  const rows = await scope.run(
    sql<LockedNotification & { id: string }>`select id, document_id as "documentId", location_id as "locationId",
        user_id as "userId", notify_all as "notifyAll", created_at as "createdAt", sequence, record::text as record,
        ${NOW_MS} as now
      from notifications notification where ${matchesScope(scope.key, selection, "notification")}
      order by created_at, sequence for update`,
  );
  return new Map(rows.map(({ id, ...notification }) => [id, notification]));
}

/** Replaces the records of locked notifications. */
export async function replaceNotificationRecords(
  scope: OrganizationScope,
  notifications: {
    id: string;
    userId: string;
    locationId: string | null;
    record: string;
    accessFields: string | null;
  }[],
): Promise<void> {
  await scope.run(
    sql`update notifications set record = merged.record::json, record_bytes = octet_length(merged.record),
        user_id = merged.user_id, location_id = merged.location_id,
        access_fields = merged.access_fields::jsonb
      from unnest(
        ${texts(notifications.map(({ id }) => id))},
        ${texts(notifications.map(({ userId }) => userId))},
        ${texts(notifications.map(({ locationId }) => locationId))},
        ${texts(notifications.map(({ record }) => record))},
        ${texts(notifications.map(({ accessFields }) => accessFields))}
      ) as merged (id, user_id, location_id, record, access_fields)
      where notifications.organization_key = ${uuid(scope.key)} and notifications.id = merged.id`,
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
 * and `seenBy` require a user.
 */
export function lockPositions(
  scope: InTransaction<AccessOrganization>,
  selection: Selection,
  { after, isUnread = false }: { after: LockedPosition | undefined; isUnread?: boolean },
): Promise<LockedPosition[]> {
  const { seenBy } = selection;
  const isOfUser = selection.userId !== undefined;
  const alias = isOfUser ? "recipient" : "notification";
  const table = sql`${isOfUser ? sql`notification_recipients` : sql`notifications`} ${identifier(alias)}`;
  const afterCursor = after
    ? sql`and (${identifier(alias)}.created_at, ${identifier(alias)}.sequence)
        > (${bigint(after.createdAt)}, ${bigint(after.sequence)})`
    : EMPTY;
  return scope.run(
    unprepared(
      sql<LockedPosition>`select created_at as "createdAt", sequence from ${table}
        where ${matchesScope(scope.key, selection, alias)} ${isUnread ? sql`and read_at is null` : EMPTY}
          ${seenBy ? sql`and ${isSeenByRecipient({ organization: scope, user: seenBy })}` : EMPTY} ${afterCursor}
        order by created_at, sequence limit ${integer(CHUNK_ROWS)} for update`,
    ),
  );
}

/** Deletes locked notifications for everyone. Returns their ids, oldest first. */
export async function deleteNotificationRows(
  scope: InTransaction<StoredOrganization>,
  sequences: number[],
): Promise<string[]> {
  if (sequences.length === 0) return [];
  const rows = await scope.run(
    unprepared(
      sql<{ id: string }>`with deleted as (
          delete from notifications
          where organization_key = ${uuid(scope.key)} and sequence = any(${bigints(sequences)})
          returning id, created_at, sequence
        )
        select id from deleted order by created_at, sequence`,
    ),
  );
  await deleteRecipients(scope, sequences);
  return rows.map(({ id }) => id);
}

/** Deletes the recipients in statements of their own, which see what was committed while the lock was awaited. */
async function deleteRecipients(scope: InTransaction<StoredOrganization>, sequences: number[]): Promise<void> {
  await lockRecipients(scope, sequences);
  await scope.run(
    unprepared(
      sql`delete from notification_recipients
        where organization_key = ${uuid(scope.key)} and sequence = any(${bigints(sequences)})`,
    ),
  );
}

/** Locks the recipients of locked notifications. */
export async function lockRecipients(scope: InTransaction<StoredOrganization>, sequences: number[]): Promise<void> {
  await scope.run(
    unprepared(
      sql`select from notification_recipients
        where organization_key = ${uuid(scope.key)} and sequence = any(${bigints(sequences)})
        order by created_at, sequence, user_id for update`,
    ),
  );
}
