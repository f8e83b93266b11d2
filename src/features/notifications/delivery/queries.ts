import type { Queryable } from "../../../database/database.ts";
import { isErased } from "../../erasure/queries.ts";
import { isForgotten } from "../../user-data/queries.ts";

interface NotificationRow {
  organizationKey: string;
  id: string;
  documentId: string;
  locationId: string | null;
  actionUserId: string;
  /** The JSON text that will be sent, but for the timestamp. */
  record: string;
}

/** What orders the lists: milliseconds since the epoch, then the order of writing. */
interface Position {
  createdAt: number;
  sequence: number;
}

/** An existing id is overwritten and keeps its position. */
export async function writeNotification(transaction: Queryable, row: NotificationRow): Promise<Position> {
  const { rows } = await transaction.query<Position>(
    `insert into notifications (organization_key, id, document_id, location_id, user_id, created_at, sequence, record,
       record_bytes)
     select $1, $2, $3, $4, $5, now.ms, nextval('notification_sequence'), ${withTimestamp("now.ms")}::json,
       octet_length(${withTimestamp("now.ms")})
     from (select floor(extract(epoch from statement_timestamp()) * 1000)::bigint as ms) as now
     on conflict (organization_key, id) do update set
       document_id = excluded.document_id, location_id = excluded.location_id, user_id = excluded.user_id,
       created_at = ${keptUnlessErased("created_at")}, sequence = ${keptUnlessErased("sequence")},
       record = ${withTimestamp(keptUnlessErased("created_at"))}::json, record_bytes = excluded.record_bytes
     returning created_at as "createdAt", sequence`,
    [row.organizationKey, row.id, row.documentId, row.locationId, row.actionUserId, row.record],
  );
  if (!rows[0]) throw new Error("the notification was not written");
  return rows[0];
}

/** Puts the timestamp in front of the other fields of the text in $6. */
function withTimestamp(timestamp: string): string {
  return `('{"timestamp":' || ${timestamp} || ',' || substr($6::text, 2))`;
}

function keptUnlessErased(column: string): string {
  const isNew = `${isErased("notifications")} or ${isForgotten("notifications")}`;
  return `(case when ${isNew} then excluded.${column} else notifications.${column} end)`;
}

interface Audience {
  organizationKey: string;
  documentId: string;
  locationId: string | null;
  actionUserId: string;
  namedUserIds: string[];
  notifyAll: boolean;
}

/**
 * Puts a notification that this transaction has written into the lists that the preferences of now let it into, and
 * takes it out of those that an earlier writing of it had reached. Who has read or deleted it has it so still.
 */
export async function writeRecipients(
  transaction: Queryable,
  { createdAt, sequence }: Position,
  audience: Audience,
): Promise<void> {
  await transaction.query(
    `with named as (
       select distinct user_id from unnest($7::text[]) as user_id
     ), candidate as (
       select user_id, true as is_named from named
       union all
       select user_id, false from users
       where $8 and organization_key = $1 and user_id <> $6
         and not exists (select from named where named.user_id = users.user_id)
     ), recipient as (
       select user_id from candidate
       where case coalesce(${inboxAt("$2")}, ${inboxAt("''")}, 'ALL')
         when 'ALL' then true when 'MINE' then is_named else false end
     ), dropped as (
       delete from notification_recipients earlier where organization_key = $1 and sequence = $5
         and not exists (select from recipient where recipient.user_id = earlier.user_id)
     )
     insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at)
     select $1, $5, user_id, $2, $3, $4 from recipient
     order by user_id
     on conflict (organization_key, sequence, user_id) do update set
       document_id = excluded.document_id, location_id = excluded.location_id
     where (notification_recipients.document_id, notification_recipients.location_id)
       is distinct from (excluded.document_id, excluded.location_id)`,
    [
      ...[audience.organizationKey, audience.documentId, audience.locationId, createdAt, sequence],
      ...[audience.actionUserId, audience.namedUserIds, audience.notifyAll],
    ],
  );
}

/** What a candidate wants in the inbox, of a document or of the organization. */
function inboxAt(documentId: string): string {
  return `(select inbox from notification_configs config
    where config.organization_key = $1 and config.document_id = ${documentId} and config.user_id = candidate.user_id)`;
}
