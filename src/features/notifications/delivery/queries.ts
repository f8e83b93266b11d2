import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";
import { awaitsDocumentPurge } from "../../erasure/queries.ts";
import { awaitsUserPurge } from "../../erasure/users/queries.ts";

export interface NewRow {
  organizationKey: string;
  id: string;
  /** The id was made for this row, so it has reached nobody yet. */
  isNew: boolean;
  documentId: string;
  locationId: string | null;
  actionUserId: string;
  /** The JSON text that will be sent, but for the timestamp. */
  record: string;
  /** Each once. */
  namedUserIds: string[];
  /** Every other user of the organization is a candidate too. */
  notifyAll: boolean;
}

/** What orders the lists: milliseconds since the epoch, then the order of writing. */
export interface WrittenRow extends NewRow {
  createdAt: number;
  sequence: number;
}

/** In the order given. An existing id is overwritten and keeps its position; two rows must not have one id. */
export async function writeNotifications(transaction: Queryable, rows: NewRow[]): Promise<WrittenRow[]> {
  const { rows: positions } = await transaction.query<{ number: number; createdAt: number; sequence: number }>(
    `with given as materialized (
       select given.*, nextval('notification_sequence') as sequence,
         ${NOW_MS} as now_ms
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         with ordinality as given (organization_key, id, document_id, location_id, user_id, record, number)
     ), written as (
       insert into notifications (organization_key, id, document_id, location_id, user_id, created_at, sequence, record,
         record_bytes)
       select organization_key, id, document_id, location_id, user_id, now_ms, sequence,
         ${withTimestamp("now_ms", "record")}::json, octet_length(${withTimestamp("now_ms", "record")})
       from given order by organization_key, id
       on conflict (organization_key, id) do update set
         document_id = excluded.document_id, location_id = excluded.location_id, user_id = excluded.user_id,
         created_at = ${keptUnlessPurged("created_at")}, sequence = ${keptUnlessPurged("sequence")},
         record = ${withTimestamp(keptUnlessPurged("created_at"), withoutTimestamp("excluded.record::text"))}::json,
         record_bytes = excluded.record_bytes
       returning organization_key, id, created_at, sequence
     )
     select number::int, written.created_at as "createdAt", written.sequence
     from written join given using (organization_key, id)`,
    [
      rows.map(({ organizationKey }) => organizationKey),
      rows.map(({ id }) => id),
      rows.map(({ documentId }) => documentId),
      rows.map(({ locationId }) => locationId),
      rows.map(({ actionUserId }) => actionUserId),
      rows.map(({ record }) => record),
    ],
  );
  const written = new Map(positions.map(({ number, ...position }) => [number - 1, position]));
  return rows.map((row, index) => {
    const position = written.get(index);
    if (!position) throw new Error("a notification was not written");
    return { ...row, ...position };
  });
}

/** Puts the timestamp in front of the other fields of a record's text. */
function withTimestamp(timestamp: string, record: string): string {
  return `('{"timestamp":' || ${timestamp} || ',' || substr(${record}, 2))`;
}

/** The other way around: the timestamp is a number, so the first `,` stands behind it. */
function withoutTimestamp(record: string): string {
  return `'{' || substr(${record}, position(',' in ${record}) + 1)`;
}

function keptUnlessPurged(column: string): string {
  const isNew = `${awaitsDocumentPurge("notifications")} or ${awaitsUserPurge("notifications")}`;
  return `(case when ${isNew} then excluded.${column} else notifications.${column} end)`;
}

/**
 * Puts notifications that this transaction has written into the lists that the preferences of now let them into, and
 * takes those that were overwritten out of the lists that the earlier writing had reached. Who has read or deleted one
 * has it so still. A statement of its own, so that it sees what the writing has waited for.
 */
export async function writeRecipients(transaction: Queryable, rows: WrittenRow[]): Promise<void> {
  const isAnyOld = rows.some(({ isNew }) => !isNew);
  // Without "offset 0" the planner may read all users, of all organizations, to find those of a few.
  await transaction.query(
    `with notification as materialized (
       select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::boolean[])
         as notification (organization_key, sequence, document_id, location_id, created_at, action_user_id, notify_all)
     ), named as materialized (
       select * from unnest($8::bigint[], $9::text[]) as named (sequence, user_id)
     ), candidate as (
       select notification.*, named.user_id, true as is_named from notification join named using (sequence)
       union all
       select notification.*, everyone.user_id, false
       from notification cross join lateral (
         select user_id from users
         where users.organization_key = notification.organization_key
           and users.user_id <> notification.action_user_id
           and not exists (select from named
             where named.sequence = notification.sequence and named.user_id = users.user_id)
         offset 0
       ) as everyone
       where notify_all
     ), recipient as (
       select * from candidate
       where case coalesce(${inboxAt("candidate.document_id")}, ${inboxAt("''")}, 'ALL')
         when 'ALL' then true when 'MINE' then is_named else false end
     ) ${isAnyOld ? DROPPED : ""}
     insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at)
     select organization_key, sequence, user_id, document_id, location_id, created_at from recipient
     order by created_at, sequence, user_id
     on conflict (organization_key, sequence, user_id) do update set
       document_id = excluded.document_id, location_id = excluded.location_id
     where (notification_recipients.document_id, notification_recipients.location_id)
       is distinct from (excluded.document_id, excluded.location_id)`,
    [
      rows.map(({ organizationKey }) => organizationKey),
      rows.map(({ sequence }) => sequence),
      rows.map(({ documentId }) => documentId),
      rows.map(({ locationId }) => locationId),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ actionUserId }) => actionUserId),
      rows.map(({ notifyAll }) => notifyAll),
      rows.flatMap(({ sequence, namedUserIds }) => namedUserIds.map(() => sequence)),
      rows.flatMap(({ namedUserIds }) => namedUserIds),
    ],
  );
}

const DROPPED = `, dropped as (
  delete from notification_recipients earlier using notification
  where earlier.organization_key = notification.organization_key and earlier.sequence = notification.sequence
    and not exists (select from recipient
      where recipient.sequence = earlier.sequence and recipient.user_id = earlier.user_id)
)`;

/** What a candidate wants in the inbox, of a document or of the organization. */
function inboxAt(documentId: string): string {
  return `(select inbox from notification_configs config where config.organization_key = candidate.organization_key
    and config.document_id = ${documentId} and config.user_id = candidate.user_id)`;
}
