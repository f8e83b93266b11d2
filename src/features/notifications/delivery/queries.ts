import { bigints, booleans, EMPTY, type Sql, sql, texts, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { isUserOf, ORGANIZATION } from "../../access/grants/queries.ts";
import { prepareOverwriting } from "../../erasure/overwriting/queries.ts";
import { IMPORTABLE } from "../../erasure/owned-tables.ts";
import { organizationOf } from "../../tenancy/queries.ts";
import { isLetThrough } from "../config/queries.ts";

export interface NotificationRow {
  organizationKey: string;
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
  extends Pick<
      NotificationRow,
      "organizationKey" | "isNew" | "documentId" | "locationId" | "actionUserId" | "namedUserIds" | "notifyAll"
    >,
    Position {}

const OVERWRITTEN = { name: "notifications", key: ["id"], time: IMPORTABLE, purgedWith: ["document", "user"] } as const;

/** Upserts notifications with different ids. An existing id keeps its position; others get one in the given order. */
export async function writeNotifications(
  transaction: Queryable,
  rows: NotificationRow[],
): Promise<RecipientSelection[]> {
  await prepareOverwriting(
    transaction,
    OVERWRITTEN,
    rows.flatMap(({ organizationKey, id, isNew }) => (isNew ? [] : [{ organizationKey, key: [id] }])),
  );
  const positions = await transaction.run(
    sql<Position & { number: number }>`with input as materialized (
        select input.*, nextval('notification_sequence') as sequence, ${NOW_MS} as now_ms
        from unnest(
          ${uuids(rows.map(({ organizationKey }) => organizationKey))},
          ${texts(rows.map(({ id }) => id))},
          ${texts(rows.map(({ documentId }) => documentId))},
          ${texts(rows.map(({ locationId }) => locationId))},
          ${texts(rows.map(({ actionUserId }) => actionUserId))},
          ${booleans(rows.map(({ notifyAll }) => notifyAll))},
          ${bigints(rows.map(({ timestamp }) => timestamp))},
          ${texts(rows.map(({ record }) => record))},
          ${texts(rows.map(({ accessFields }) => accessFields))}
        ) with ordinality
          as input (organization_key, id, document_id, location_id, user_id, notify_all, given_at, record,
            access_fields, number)
      ), written as (
        insert into notifications (organization_key, id, document_id, location_id, user_id, notify_all, created_at,
          written_at, sequence, record, record_bytes, access_fields)
        select organization_key, id, document_id, location_id, user_id, notify_all, least(given_at, now_ms),
          case when given_at < now_ms then now_ms end, sequence, record::json, octet_length(record),
          access_fields::jsonb
        from input order by organization_key, id collate "C"
        on conflict (organization_key, id) do update set
          document_id = excluded.document_id, location_id = excluded.location_id, user_id = excluded.user_id,
          notify_all = excluded.notify_all,
          record = excluded.record, record_bytes = excluded.record_bytes,
          access_fields = excluded.access_fields
        returning organization_key, id, created_at, written_at, sequence
      )
      select number::int, written.created_at as "createdAt", written.sequence,
        case when written.sequence = input.sequence then written.written_at else now_ms end as "writtenAt"
      from written join input using (organization_key, id)`,
  );
  const written = new Map(positions.map(({ number, ...position }) => [number - 1, position]));
  return rows.map((row, index) => {
    const position = written.get(index);
    if (!position) throw new Error("a notification was not written");
    return { ...row, ...position };
  });
}

/** Changes the location of notifications in inboxes. The transaction has locked them and their recipients. */
export async function moveRecipients(
  transaction: Queryable,
  organizationKey: string,
  moved: { sequence: number; locationId: string | null }[],
): Promise<void> {
  await transaction.run(
    sql`update notification_recipients recipient set location_id = moved.location_id
      from unnest(
        ${bigints(moved.map(({ sequence }) => sequence))}, ${texts(moved.map(({ locationId }) => locationId))}
      ) as moved (sequence, location_id)
      where recipient.organization_key = ${uuid(organizationKey)} and recipient.sequence = moved.sequence
        and recipient.location_id is distinct from moved.location_id`,
  );
}

/**
 * Adds notifications written by this transaction to the inboxes of their recipients, as their effective preferences
 * decide, and removes overwritten ones from inboxes of users who are no longer recipients. A recipient who has read or
 * deleted a notification does not get it back. Being a statement of its own, it sees what was committed while the
 * notifications were locked.
 */
export async function writeRecipients(transaction: Queryable, rows: RecipientSelection[]): Promise<void> {
  const organization = organizationOf(rows, "notification.organization_key");
  const ofCandidate = { row: "candidate", organization: organizationOf(rows, "candidate.organization_key") };
  const isAnyOverwritten = rows.some(({ isNew }) => !isNew);
  // "offset 0" keeps the planner from reading the users of all organizations to find those of a few.
  await transaction.run(
    sql`with notification as materialized (
        select * from unnest(
          ${uuids(rows.map(({ organizationKey }) => organizationKey))},
          ${bigints(rows.map(({ sequence }) => sequence))},
          ${texts(rows.map(({ documentId }) => documentId))},
          ${texts(rows.map(({ locationId }) => locationId))},
          ${bigints(rows.map(({ createdAt }) => createdAt))},
          ${bigints(rows.map(({ writtenAt }) => writtenAt))},
          ${texts(rows.map(({ actionUserId }) => actionUserId))},
          ${booleans(rows.map(({ notifyAll }) => notifyAll))}
        ) as notification (organization_key, sequence, document_id, location_id, created_at, written_at,
          action_user_id, notify_all)
      ), named as materialized (
        select * from unnest(
          ${bigints(rows.flatMap(({ sequence, namedUserIds }) => namedUserIds.map(() => sequence)))},
          ${texts(rows.flatMap(({ namedUserIds }) => namedUserIds))}
        ) as named (sequence, user_id)
      ), candidate as (
        select notification.*, named.user_id, true as is_named from notification join named using (sequence)
        union all
        select notification.*, everyone.user_id, false
        from notification cross join lateral (
          select user_id from users
          where users.organization_key = ${organization}
            and users.user_id <> notification.action_user_id
            and ${isUserOf(organization, ORGANIZATION, sql`users`)}
            and not exists (select from named
              where named.sequence = notification.sequence and named.user_id = users.user_id)
          offset 0
        ) as everyone
        where notify_all
      ), recipient as (
        select * from candidate where ${isLetThrough("inbox", ofCandidate, sql`is_named`)}
      ) ${isAnyOverwritten ? removal(organization) : EMPTY}
      insert into notification_recipients (organization_key, sequence, user_id, document_id, location_id, created_at,
        written_at)
      select organization_key, sequence, user_id, document_id, location_id, created_at, written_at from recipient
      order by created_at, sequence, user_id
      on conflict (organization_key, sequence, user_id) do update set
        document_id = excluded.document_id, location_id = excluded.location_id
      where (notification_recipients.document_id, notification_recipients.location_id)
        is distinct from (excluded.document_id, excluded.location_id)`,
  );
}

/** Rows of users who have read or deleted the notification stay, so that it does not return to them later. */
function removal(organization: Sql): Sql {
  const isOfOther = sql`earlier.organization_key = ${organization} and earlier.sequence = notification.sequence
    and not exists (select from recipient
      where recipient.sequence = earlier.sequence and recipient.user_id = earlier.user_id)`;
  const isUnread = sql`(earlier.in_list and earlier.read_at is null)`;
  return sql`, removed as (
  delete from notification_recipients earlier using notification where ${isOfOther} and ${isUnread}
), kept as (
  update notification_recipients earlier
  set in_list = false, document_id = notification.document_id, location_id = notification.location_id
  from notification where ${isOfOther} and not ${isUnread}
)`;
}
