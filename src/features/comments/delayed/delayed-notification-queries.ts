import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, bigints, booleans, EMPTY, integer, sql, text, texts, uuid, uuids } from "../../../database/sql.ts";
import { isUntil, NOW_MS } from "../../../database/time.ts";
import { awaitsDocumentPurge } from "../../purge/overwriting-queries.ts";
import { existedAt, type Moment } from "../../purge/purge-queries.ts";
import { userPages } from "../../purge/user-purge-queries.ts";
import type {
  CrossTenantScope,
  InTransaction,
  OrganizationScope,
  StoredOrganization,
} from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildJoinedBlock, isInEnabledDocument, KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";
import type { ReadyNotification } from "./digests.ts";

/** Delayed notification of an event to one recipient. */
export interface NewDelayed
  extends Pick<ReadyNotification, "id" | "userId" | "documentId" | "isUserDue" | "documentMax" | "userMax"> {
  eventId: string;
  annotationId: string;
  commentId: number | null;
  /** JSON text of a DelayedRecord. */
  record: string;
  delayMs: number;
  /** Duration of the shorter window; 0 without windows. */
  windowMs: number;
}

/** A time at which the delivery job looks at an organization. */
interface DeliveryTime {
  organizationKey: OrganizationKey;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Inserts delayed notifications of an organization. Returns the times at which they become ready and due, each once, in
 * milliseconds since the epoch.
 */
export async function insertDelayed(scope: StoredOrganization, rows: NewDelayed[]): Promise<number[]> {
  const inserted = await scope.run(
    sql<{ readyAt: number; dueAt: number }>`insert into delayed_notifications (organization_key,
        id, event_id, user_id, document_id, annotation_id, comment_id, record, delayed_at, ready_at, due_at,
        is_user_due, next_at, document_max, user_max)
      select ${uuid(scope.key)}, id, event_id, user_id, document_id, annotation_id, comment_id, record::json,
        ${NOW_MS}, ${NOW_MS} + delay_ms, ${NOW_MS} + delay_ms + window_ms, is_user_due, ${NOW_MS} + delay_ms,
        document_max, user_max
      from unnest(
        ${uuids(rows.map(({ id }) => id))},
        ${uuids(rows.map(({ eventId }) => eventId))},
        ${texts(rows.map(({ userId }) => userId))},
        ${texts(rows.map(({ documentId }) => documentId))},
        ${texts(rows.map(({ annotationId }) => annotationId))},
        ${bigints(rows.map(({ commentId }) => commentId))},
        ${texts(rows.map(({ record }) => record))},
        ${bigints(rows.map(({ delayMs }) => delayMs))},
        ${bigints(rows.map(({ windowMs }) => windowMs))},
        ${booleans(rows.map(({ isUserDue }) => isUserDue))},
        ${bigints(rows.map(({ documentMax }) => documentMax))},
        ${bigints(rows.map(({ userMax }) => userMax))}
      ) as input (id, event_id, user_id, document_id, annotation_id, comment_id, record, delay_ms,
        window_ms, is_user_due, document_max, user_max)
      returning ready_at as "readyAt", due_at as "dueAt"`,
  );
  return [...new Set(inserted.flatMap(({ readyAt, dueAt }) => [readyAt, dueAt]))];
}

/** Returns the next times after one at which delayed notifications are looked at, in key order. */
export function selectDeliveryTimes(
  scope: CrossTenantScope,
  after: DeliveryTime | undefined,
  limit: number,
): Promise<DeliveryTime[]> {
  const isAfter = after
    ? sql`where (organization_key, at) > (${uuid(after.organizationKey)}, ${bigint(after.at)})`
    : EMPTY;
  return scope.run(
    sql<DeliveryTime>`select ${KEY_DIGITS} as "organizationKey", at from (
        select organization_key, next_at as at from delayed_notifications
        union select organization_key, due_at from delayed_notifications
      ) as time ${isAfter}
      order by organization_key, at limit ${integer(limit)}`,
  );
}

interface OrganizationToDeliver {
  workspaceId: string;
  organizationId: string;
  block: AccessBlock | null;
  /** Time of the statement, in milliseconds since the epoch. */
  nowMs: number;
}

/** Returns the organization of delayed notifications; undefined if it is purged. */
export async function selectOrganizationToDeliver(
  scope: StoredOrganization,
): Promise<OrganizationToDeliver | undefined> {
  const [row] = await scope.run(
    sql<OrganizationToDeliver>`select workspace_id as "workspaceId", organization_id as "organizationId",
        ${buildJoinedBlock("organizations")} as block, ${NOW_MS} as "nowMs"
      from organizations where organization_key = ${uuid(scope.key)}`,
  );
  return row;
}

/** Maximum number of recipients, and of delayed notifications, that one transaction looks at. */
const CHUNK_RECIPIENTS = 100;
const CHUNK_ROWS = 500;

/** A ready notification, locked for its delivery. */
export interface DelayedRow extends ReadyNotification {
  eventId: string;
  annotationId: string;
  commentId: number | null;
  /** JSON text of a DelayedRecord. */
  record: string;
  delayedAt: number;
  nextAt: number;
}

/**
 * Locks the ready notifications of the next recipients who have one to look at, those to look at first. Locks in key
 * order to avoid deadlocks, and waits for a concurrent delivery, so that none is delivered twice. What belongs to a
 * disabled document waits until it is enabled.
 */
export async function lockReadyNotifications(
  scope: InTransaction<StoredOrganization>,
  nowMs: number,
): Promise<DelayedRow[]> {
  const organization = uuid(scope.key);
  const isEnabled = isInEnabledDocument(organization, sql`delayed_notifications.document_id`);
  const found = await scope.run(
    sql<{ id: string; annotationId: string }>`with recipient as (
        select distinct user_id from delayed_notifications
        where organization_key = ${organization} and next_at <= ${bigint(nowMs)} and ${isEnabled}
        order by user_id limit ${integer(CHUNK_RECIPIENTS)}
      )
      select id, annotation_id as "annotationId" from delayed_notifications
      where organization_key = ${organization} and user_id in (select user_id from recipient)
        and ready_at <= ${bigint(nowMs)} and ${isEnabled}
      order by next_at, id limit ${integer(CHUNK_ROWS)}`,
  );
  if (found.length === 0) return [];
  await lockAnnotationsOf(scope, found);
  return scope.run(
    sql<DelayedRow>`select id, event_id as "eventId", user_id as "userId", document_id as "documentId",
        annotation_id as "annotationId", comment_id as "commentId", record::text as record, delayed_at as "delayedAt",
        ready_at as "readyAt", due_at as "dueAt", is_user_due as "isUserDue", next_at as "nextAt",
        document_max as "documentMax", user_max as "userMax"
      from delayed_notifications
      where organization_key = ${organization} and id = any(${uuids(found.map(({ id }) => id))})
      order by id for update`,
  );
}

/** Locks the annotations, so that a comment deleted or changed meanwhile is read as it is after that. */
async function lockAnnotationsOf(
  scope: InTransaction<StoredOrganization>,
  found: readonly { annotationId: string }[],
): Promise<void> {
  const ids = [...new Set(found.map(({ annotationId }) => annotationId))];
  await scope.run(
    sql`select 1 as one from comment_annotations
      where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)})
      order by created_at, sequence for share`,
  );
}

export interface DelayedFacts {
  id: string;
  annotationSequence: number;
  /** JSON text of the comment; null if the event concerns none. */
  comment: string | null;
  /** JSON text of the annotation, if it is private or has an access context; otherwise null. */
  restricted: string | null;
}

/**
 * Returns the delayed notifications that still concern their recipients: the annotation and the comment exist, and the
 * recipient has not read the annotation since the event.
 */
export async function selectConcerning(scope: StoredOrganization, ids: string[]): Promise<DelayedFacts[]> {
  const organization = uuid(scope.key);
  return scope.run(
    sql<DelayedFacts>`select delayed.id, annotation.sequence as "annotationSequence",
        comment.record::text as comment,
        case when annotation.access_fields is not null or annotation.viewers is not null
          then annotation.record::text end as restricted
      from delayed_notifications delayed
      join comment_annotations annotation on annotation.organization_key = ${organization}
        and annotation.id = delayed.annotation_id and annotation.document_id = delayed.document_id
        and ${isUntil(sql`annotation.written_at`, sql`delayed.delayed_at`)}
      left join comments comment on comment.organization_key = ${organization}
        and comment.annotation_sequence = annotation.sequence and comment.id = delayed.comment_id
      left join comment_reads reading on reading.organization_key = ${organization}
        and reading.annotation_sequence = annotation.sequence and reading.user_id = delayed.user_id
      where delayed.organization_key = ${organization} and delayed.id = any(${uuids(ids)})
        and (delayed.comment_id is null or comment.id is not null)
        and coalesce(${isUntil(sql`reading.read_at`, sql`delayed.delayed_at`)}, true)
        and not ${awaitsDocumentPurge(organization, "annotation", { writtenAt: "written_at" })}`,
  );
}

const DELAYED = { writtenAt: "delayed_at" };

/** Returns the users of an organization whose data is being deleted, with those of the rows that existed before. */
export function selectUsersBeingDeleted(
  scope: OrganizationScope,
  ids: string[],
): Promise<{ userIds: string[]; delayedIds: string[] }[]> {
  const accepted = { time: sql`deletion.accepted_at`, transactionId: sql`deletion.accepted_in` };
  return scope.run(
    sql<{ userIds: string[]; delayedIds: string[] }>`select deletion.user_ids as "userIds",
        array_agg(delayed.id::text) as "delayedIds"
      from user_data_deletions deletion join delayed_notifications delayed
        on delayed.organization_key = ${uuid(scope.key)} and delayed.id = any(${uuids(ids)})
          and ${existedAt(DELAYED, accepted, sql`delayed`)}
      where deletion.workspace_id = ${uuid(scope.workspace.id)} and deletion.stage <> 'done'
        and (deletion.organization_ids is null or ${text(scope.organizationId)} = any(deletion.organization_ids))
      group by deletion.id, deletion.user_ids`,
  );
}

/** Deletes locked rows. */
export async function deleteDelayed(scope: StoredOrganization, ids: string[]): Promise<void> {
  await scope.run(
    sql`delete from delayed_notifications where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)})`,
  );
}

/** Postpones the delivery of locked rows until they are due. */
export async function postponeUntilDue(scope: StoredOrganization, ids: string[]): Promise<void> {
  await scope.run(
    sql`update delayed_notifications set next_at = due_at
      where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)})`,
  );
}

/** Returns the number of delayed notifications to a user, and when the next is delivered at the latest. */
export async function selectDelayedOfUser(
  scope: StoredOrganization,
  userId: string,
): Promise<{ count: number; nextDueAt: number | null }> {
  const [row] = await scope.run(
    sql<{ count: number; nextDueAt: number | null }>`select count(*)::int as count, min(due_at) as "nextDueAt"
      from delayed_notifications where organization_key = ${uuid(scope.key)} and user_id = ${text(userId)}`,
  );
  return row ?? { count: 0, nextDueAt: null };
}

/** The JSON text that has every ID, name and address of users in a delayed notification. */
export const NAMING_TEXT = sql`json_build_object('userId', user_id, 'record', record)::text`;

const SCANNED_ROWS = 500;

/** Returns the next rows that existed at the acceptance, by ID, and the last ID if there may be more. */
export async function scanDelayed(
  scope: StoredOrganization,
  accepted: Moment,
  after: string | undefined,
): Promise<{ rows: { id: string; text: string }[]; next: string | undefined }> {
  const rows = await scope.run(
    sql<{ id: string; text: string }>`select id, ${NAMING_TEXT} as text from delayed_notifications
      where organization_key = ${uuid(scope.key)} and ${existedAt(DELAYED, accepted)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
      order by id limit ${integer(SCANNED_ROWS)}`,
  );
  return { rows, next: rows.length < SCANNED_ROWS ? undefined : rows.at(-1)?.id };
}

/** Deletes rows that may be delivered concurrently. Returns how many. Locks rows in key order to avoid deadlocks. */
export async function purgeDelayed(scope: StoredOrganization, ids: string[]): Promise<number> {
  const purged = await scope.run(
    sql`with to_purge as (
        select id from delayed_notifications
        where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)}) order by id for update
      )
      delete from delayed_notifications delayed using to_purge
      where delayed.organization_key = ${uuid(scope.key)} and delayed.id = to_purge.id
      returning delayed.id`,
  );
  return purged.length;
}

/** Reads one page of the delayed notifications to a user, by ID. */
export const selectDelayedPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select id::text as id, octet_length(record::text) as record_bytes,
        json_build_object('documentId', document_id, 'annotationId', annotation_id, 'commentId', comment_id,
          'dueAt', due_at, 'event', record) as record
      from delayed_notifications where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as delayed where true`,
  keys: ["id"],
  keyType: "text",
});
