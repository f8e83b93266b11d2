import type { OrganizationKey } from "../../../database/keys.ts";
import { bigints, booleans, EMPTY, integer, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { matchesUser, ORGANIZATION } from "../../access/effective-grant-queries.ts";
import { prepareOverwriting } from "../../purge/overwriting-queries.ts";
import { IMPORTABLE } from "../../purge/owned-tables.ts";
import { organizationBeingDeleted } from "../../tenancy/access-block.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { fromOrganization } from "../../tenancy/tenancy-queries.ts";
import { isLetThrough } from "../config/notification-config-queries.ts";
import { type NotificationSubject, toSubjectArray } from "../notification-subject.ts";

export interface NotificationRow {
  id: string;
  /** Whether the id was generated for this row, so that it has no recipients yet. */
  isNew: boolean;
  documentId: string;
  locationId: string | null;
  actionUserId: string;
  /** The JSON text of the record as sent, with its id and metadata. */
  record: string;
  /** JSON text of the pairs of the access context; null if there are none. */
  accessFields: string | null;
  /** What the notification is about, if it is one of comments. */
  subjects: readonly NotificationSubject[] | undefined;
  /** The users in `notifyUsers`, each once. */
  namedUserIds: string[];
  /** Whether every other user of the organization is a candidate too. */
  notifyAll: boolean;
  /** Time that the caller set, in milliseconds since the epoch; null for the time of writing. */
  timestamp: number | null;
}

/** Position of a written notification: (createdAt, sequence) orders inboxes. */
interface Position {
  /** Milliseconds since the epoch. */
  createdAt: number;
  sequence: number;
  /** Time of writing of rows that recipients get now; null if it is createdAt. */
  writtenAt: number | null;
}

/** What decides who receives a written notification. */
export interface RecipientSelection
  extends Pick<NotificationRow, "isNew" | "documentId" | "locationId" | "actionUserId" | "namedUserIds" | "notifyAll">,
    Position {}

const OVERWRITTEN = { name: "notifications", key: ["id"], time: IMPORTABLE, purgedWith: ["document", "user"] } as const;

/**
 * Upserts notifications with different ids. An existing id keeps its position; others get one in the given order.
 * Throws if the organization was purged meanwhile: the purge waits only for transactions on its own node of Citus.
 */
export async function writeNotifications(
  scope: OrganizationScope,
  rows: NotificationRow[],
): Promise<RecipientSelection[]> {
  await prepareOverwriting(
    scope,
    OVERWRITTEN,
    rows.flatMap(({ id, isNew }) => (isNew ? [] : [[id]])),
  );
  const { sequences, now } = await takeSequences(scope, rows.length);
  const input = sql`unnest(
      ${texts(rows.map(({ id }) => id))},
      ${texts(rows.map(({ documentId }) => documentId))},
      ${texts(rows.map(({ locationId }) => locationId))},
      ${texts(rows.map(({ actionUserId }) => actionUserId))},
      ${booleans(rows.map(({ notifyAll }) => notifyAll))},
      ${bigints(rows.map(({ timestamp }) => (timestamp === null ? now : Math.min(timestamp, now))))},
      ${bigints(rows.map(({ timestamp }) => (timestamp !== null && timestamp < now ? now : null)))},
      ${bigints(sequences)},
      ${texts(rows.map(({ record }) => record))},
      ${texts(rows.map(({ accessFields }) => accessFields))},
      ${texts(rows.map(({ subjects }) => (subjects ? toSubjectArray(subjects) : null)))}
    ) as input (id, document_id, location_id, user_id, notify_all, created_at, written_at, sequence, record,
      access_fields, subjects)`;
  const positions = await scope.run(
    sql<Position & { id: string }>`insert into notifications (organization_key, id, document_id, location_id, user_id,
        notify_all, created_at, written_at, sequence, record, record_bytes, access_fields, subjects)
      select organization_key, id, document_id, location_id, user_id, notify_all, created_at, written_at, sequence,
        record::json, octet_length(record), access_fields::jsonb, subjects::text[]
      ${fromOrganization(scope.key, input)} order by id collate "C"
      on conflict (organization_key, id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id, user_id = excluded.user_id,
        notify_all = excluded.notify_all,
        record = excluded.record, record_bytes = excluded.record_bytes,
        access_fields = excluded.access_fields, subjects = excluded.subjects
      returning id, created_at as "createdAt", written_at as "writtenAt", sequence`,
  );
  const written = new Map(positions.map(({ id, ...position }) => [id, position]));
  return rows.map((row, index) => {
    const position = written.get(row.id);
    if (!position) throw organizationBeingDeleted(scope.organizationId);
    const isNew = position.sequence === sequences[index];
    return { ...row, ...position, isNew, writtenAt: isNew ? position.writtenAt : now };
  });
}

/** Takes positions for new notifications, in order, and reads the current time in milliseconds since the epoch. */
async function takeSequences(transaction: Queryable, count: number): Promise<{ sequences: number[]; now: number }> {
  const rows = await transaction.run(
    sql<{ sequence: number; now: number }>`select nextval('notification_sequence') as sequence, ${NOW_MS} as now
      from generate_series(1, ${integer(count)})`,
  );
  return { sequences: rows.map(({ sequence }) => sequence), now: rows[0]?.now ?? Date.now() };
}

/** Changes the location of notifications in inboxes. The transaction has locked them and their recipients. */
export async function moveRecipients(
  scope: OrganizationScope,
  moved: { sequence: number; locationId: string | null }[],
): Promise<void> {
  await scope.run(
    sql`update notification_recipients recipient set location_id = moved.location_id
      from unnest(
        ${bigints(moved.map(({ sequence }) => sequence))}, ${texts(moved.map(({ locationId }) => locationId))}
      ) as moved (sequence, location_id)
      where recipient.organization_key = ${uuid(scope.key)} and recipient.sequence = moved.sequence
        and recipient.location_id is distinct from moved.location_id`,
  );
}

/**
 * Adds notifications written by this transaction to the inboxes of their recipients, as their effective preferences
 * decide, and removes overwritten ones from inboxes of users who are no longer recipients. A recipient who has read or
 * deleted a notification does not get it back. Being statements of their own, they see what was committed while the
 * notifications were locked.
 */
export async function writeRecipients(scope: OrganizationScope, rows: RecipientSelection[]): Promise<void> {
  const overwritten = rows.filter(({ isNew }) => !isNew);
  if (overwritten.length > 0) await removeRecipients(scope, overwritten);
  const recipients = sql`(${buildRecipients(scope.key, rows)}) as recipient`;
  await scope.run(
    sql`insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at,
        written_at)
      select organization_key, sequence, user_id, document_id, location_id, created_at, written_at
      ${fromOrganization(scope.key, recipients)}
      order by created_at, sequence, user_id
      on conflict (organization_key, sequence, user_id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id
      where (notification_recipients.document_id, notification_recipients.location_id)
        is distinct from (excluded.document_id, excluded.location_id)`,
  );
}

/** Removes overwritten notifications from inboxes of users who are no longer recipients. */
async function removeRecipients(scope: OrganizationScope, rows: RecipientSelection[]): Promise<void> {
  const isNotRecipient = sql`existing.organization_key = ${uuid(scope.key)}
    and existing.sequence = notification.sequence
    and not exists (select from recipient
      where recipient.sequence = existing.sequence and recipient.user_id = existing.user_id)`;
  const moved = sql`, document_id = notification.document_id, location_id = notification.location_id`;
  await scope.run(
    sql`with notification as materialized (select * from ${buildRelation(rows)}),
      recipient as materialized (${buildRecipients(scope.key, rows)}),
      ${removedFromInboxes(sql`notification`, isNotRecipient, moved)}`,
  );
}

/**
 * Returns the last parts of a statement that removes from inboxes the rows `existing` that match a row of another part.
 * Those of users who have read or deleted the notification stay, so that it does not return to them later, and get the
 * columns in `moved` too.
 */
export function removedFromInboxes(part: Sql, matches: Sql, moved = EMPTY): Sql {
  const isUnread = sql`(existing.in_inbox and existing.read_at is null)`;
  return sql`removed as (
      delete from notification_recipients existing using ${part} where ${matches} and ${isUnread}
    )
    update notification_recipients existing set in_inbox = false, archived_at = null ${moved}
    from ${part} where ${matches} and not ${isUnread}`;
}

/** Returns a query of the recipients of notifications, each with the columns of the notification. */
function buildRecipients(organizationKey: OrganizationKey, rows: RecipientSelection[]): Sql {
  const organization = uuid(organizationKey);
  const notifications = buildRelation(rows);
  const named = sql`unnest(
      ${bigints(rows.flatMap(({ sequence, namedUserIds }) => namedUserIds.map(() => sequence)))},
      ${texts(rows.flatMap(({ namedUserIds }) => namedUserIds))}
    ) as named (sequence, user_id)`;
  return sql`select * from (
      select notification.*, named.user_id, true as is_named
      from ${notifications} join ${named} using (sequence)
      union all
      select notification.*, users.user_id, false
      from ${notifications} join users on users.organization_key = ${organization}
        and users.user_id <> notification.action_user_id and ${matchesUser(organization, ORGANIZATION, sql`users`)}
      where notify_all and not exists (select from ${named}
        where named.sequence = notification.sequence and named.user_id = users.user_id)
    ) as candidate
    where ${isLetThrough("inbox", { row: "candidate", organization }, sql`is_named`)}`;
}

/** Returns the relation of notifications that are delivered. */
function buildRelation(rows: RecipientSelection[]): Sql {
  return sql`unnest(
      ${bigints(rows.map(({ sequence }) => sequence))},
      ${texts(rows.map(({ documentId }) => documentId))},
      ${texts(rows.map(({ locationId }) => locationId))},
      ${bigints(rows.map(({ createdAt }) => createdAt))},
      ${bigints(rows.map(({ writtenAt }) => writtenAt))},
      ${texts(rows.map(({ actionUserId }) => actionUserId))},
      ${booleans(rows.map(({ notifyAll }) => notifyAll))}
    ) as notification (sequence, document_id, location_id, created_at, written_at, action_user_id, notify_all)`;
}
