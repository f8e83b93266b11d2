import type { OrganizationKey } from "../../database/keys.ts";
import {
  bigint,
  booleans,
  EMPTY,
  identifier,
  integer,
  type Sql,
  sql,
  text,
  texts,
  uuid,
  uuids,
} from "../../database/sql.ts";
import { isUntil, NOW_MS } from "../../database/time.ts";
import { isLetThrough } from "../notifications/config/notification-config-queries.ts";
import { existedAt, type Moment } from "../purge/purge-queries.ts";
import type { CrossTenantScope, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import {
  type DeliveryChange,
  insertDeliveries,
  type NewDelivery,
  stateChange,
} from "./deliveries/mail-delivery-queries.ts";

/** A queued mail, as its job names it. */
export interface MailKey {
  organizationKey: OrganizationKey;
  /** A UUID. */
  id: string;
}

interface MailCandidate {
  documentId: string;
  userId: string;
  isConcerned: boolean;
}

/** Returns the candidates whose email preference lets the event through, in the given order. */
export async function selectByPreference<Candidate extends MailCandidate>(
  scope: OrganizationScope,
  candidates: Candidate[],
): Promise<Candidate[]> {
  const preference = { row: "input", organization: uuid(scope.key) };
  const rows = await scope.run(
    sql<{ index: number }>`select (number - 1)::int as index
      from unnest(
        ${texts(candidates.map(({ documentId }) => documentId))},
        ${texts(candidates.map(({ userId }) => userId))},
        ${booleans(candidates.map(({ isConcerned }) => isConcerned))}
      ) with ordinality as input (document_id, user_id, is_concerned, number)
      where ${isLetThrough("email", preference, sql`is_concerned`)}`,
  );
  const selected = new Set(rows.map(({ index }) => index));
  return candidates.filter((_, index) => selected.has(index));
}

/** Returns the JSON texts of the users' records, by user ID. */
export function selectUserRecords(scope: StoredOrganization, userIds: string[]): Promise<Records> {
  return selectRecords(scope, "users", "user_id", userIds);
}

/** Returns the JSON texts of the documents' records, by document ID. */
export function selectDocumentRecords(scope: OrganizationScope, documentIds: string[]): Promise<Records> {
  return selectRecords(scope, "documents", "document_id", documentIds);
}

/** JSON texts of those that exist; null without a record. */
type Records = Map<string, string | null>;

async function selectRecords(
  scope: StoredOrganization,
  table: "users" | "documents",
  idColumn: "user_id" | "document_id",
  ids: string[],
): Promise<Records> {
  const id = identifier(idColumn);
  const rows = await scope.run(
    sql<{ id: string; record: string | null }>`select ${id} as id, record::text as record from ${identifier(table)}
      where organization_key = ${uuid(scope.key)} and ${id} = any(${texts([...new Set(ids)])})`,
  );
  return new Map(rows.map((row) => [row.id, row.record]));
}

/** Returns the next queued mails after one, in key order. */
export function selectQueuedMails(
  scope: CrossTenantScope,
  after: MailKey | undefined,
  limit: number,
): Promise<MailKey[]> {
  const isAfter = after
    ? sql`where (organization_key, id) > (${uuid(after.organizationKey)}, ${uuid(after.id)})`
    : EMPTY;
  return scope.run(
    sql<MailKey>`select ${KEY_DIGITS} as "organizationKey", id from mails ${isAfter}
      order by organization_key, id limit ${integer(limit)}`,
  );
}

export interface NewMail extends NewDelivery {
  /** The other users that the mail names. */
  otherUserIds: string[];
  /** JSON text of the values for the template. */
  record: string;
}

/** Queues mails and adds them to the delivery log. */
export async function insertMails(scope: OrganizationScope, mails: NewMail[]): Promise<void> {
  await scope.run(
    sql`insert into mails (organization_key, id, workspace_id, document_id, user_id, address, other_user_ids,
        annotation_ids, record, created_at)
      select ${uuid(scope.key)}, id, ${uuid(scope.workspace.id)}, document_id, user_id, address,
        array(select json_array_elements_text(other_user_ids::json)),
        array(select json_array_elements_text(annotation_ids::json)), record::json, ${NOW_MS}
      from unnest(
        ${uuids(mails.map(({ id }) => id))},
        ${texts(mails.map(({ documentId }) => documentId))},
        ${texts(mails.map(({ userId }) => userId))},
        ${texts(mails.map(({ address }) => address))},
        ${texts(mails.map(({ otherUserIds }) => JSON.stringify(otherUserIds)))},
        ${texts(mails.map(({ annotationIds }) => JSON.stringify(annotationIds)))},
        ${texts(mails.map(({ record }) => record))}
      ) as input (id, document_id, user_id, address, other_user_ids, annotation_ids, record)`,
  );
  await insertDeliveries(scope, mails);
}

export interface TakenMail {
  workspaceId: string;
  /** Null once the organization is purged. */
  organizationId: string | null;
  documentId: string;
  userId: string;
  address: string;
  otherUserIds: string[];
  annotationIds: string[];
  /** JSON text. */
  record: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  ageMs: number;
  /** Reason why mails about the document are not sent at present. */
  block: AccessBlock | null;
}

/** Takes a mail, so that only the caller sends it. Returns undefined if it is already taken or deleted. */
export async function takeMail(scope: StoredOrganization, id: string): Promise<TakenMail | undefined> {
  const [mail] = await scope.run(
    sql<TakenMail>`with taken as (
        update mails set taken_at = ${NOW_MS}
        where organization_key = ${uuid(scope.key)} and id = ${uuid(id)} and taken_at is null
        returning workspace_id, document_id, user_id, address, other_user_ids, annotation_ids, record, created_at
      )
      select workspace_id as "workspaceId", document_id as "documentId", user_id as "userId", address,
        (select organizations.organization_id from organizations
          where organizations.organization_key = ${uuid(scope.key)}) as "organizationId",
        other_user_ids as "otherUserIds", annotation_ids as "annotationIds", record::text as record,
        created_at as "createdAt", ${NOW_MS} - created_at as "ageMs",
        ${buildAccessBlock(scope.key, sql`taken.document_id`)} as block
      from taken`,
  );
  return mail;
}

/** Replaces the JSON text of a taken mail, unless a comment of it has changed since. */
export async function replaceMailRecord(
  scope: StoredOrganization,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await scope.run(
    sql`update mails set record = ${text(to)}::json where ${isMail(scope, id)} and record::text = ${text(from)}`,
  );
}

/** Puts a mail that was taken but not sent back into the queue. */
export async function requeueMail(scope: StoredOrganization, id: string): Promise<void> {
  await scope.run(sql`update mails set taken_at = null where ${isMail(scope, id)}`);
}

/** Puts a mail back into the queue after a failed attempt, which it records in the delivery log. */
export async function deferMail(scope: StoredOrganization, id: string, reason: string | null): Promise<void> {
  await scope.run(
    sql`with requeued as (update mails set taken_at = null where ${isMail(scope, id)})
      update mail_deliveries set ${stateChange({ state: "deferred", reason, isAttempt: true })}
      where ${isMail(scope, id)}`,
  );
}

/** Deletes a mail from the queue and records in the delivery log how it ended. */
export async function endMail(scope: StoredOrganization, id: string, outcome: DeliveryChange): Promise<void> {
  await scope.run(
    sql`with ended as (delete from mails where ${isMail(scope, id)})
      update mail_deliveries set ${stateChange(outcome)} where ${isMail(scope, id)}`,
  );
}

function isMail({ key }: StoredOrganization, id: string): Sql {
  return sql`organization_key = ${uuid(key)} and id = ${uuid(id)}`;
}

/**
 * Deletes a mail that was taken more than `maxHoldMs` ago, whose sender must have died. Returns "taken" if a live
 * process may be sending it.
 */
export async function deleteAbandoned(
  scope: StoredOrganization,
  id: string,
  { maxHoldMs, outcome }: { maxHoldMs: number; outcome: DeliveryChange },
): Promise<"abandoned" | "taken" | "gone"> {
  const [row] = await scope.run(
    sql<{ found: "abandoned" | "taken" | "gone" }>`with abandoned as (
        delete from mails where ${isMail(scope, id)}
          and ${isUntil(sql`taken_at`, sql`${NOW_MS} - ${bigint(maxHoldMs)}`)} returning id
      ), recorded as (
        update mail_deliveries set ${stateChange(outcome)} from abandoned
        where organization_key = ${uuid(scope.key)} and mail_deliveries.id = abandoned.id
      )
      select case when exists (select 1 from abandoned) then 'abandoned'
        when exists (select 1 from mails where ${isMail(scope, id)}) then 'taken' else 'gone' end as found`,
  );
  return row?.found ?? "gone";
}

export interface ScannedMail {
  id: string;
  userId: string;
  address: string;
  otherUserIds: string[];
  /** JSON text. */
  record: string;
}

const SCANNED_MAILS = 500;
/** The JSON text that has every ID, name and address of users in a mail. */
export const NAMING_TEXT = sql`json_build_object('userIds', array_prepend(user_id, other_user_ids), 'address', address,
  'record', record)::text`;

/** Returns the next mails that existed at the acceptance, by ID, and the last ID if there may be more. */
export async function scanMails(
  scope: StoredOrganization,
  accepted: Moment,
  after: string | undefined,
): Promise<{ mails: ScannedMail[]; next: string | undefined }> {
  const mails = await scope.run(
    sql<ScannedMail>`select id, user_id as "userId", address, other_user_ids as "otherUserIds", record::text as record
      from mails
      where organization_key = ${uuid(scope.key)} and ${existedAt({ writtenAt: "created_at" }, accepted)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
      order by id limit ${integer(SCANNED_MAILS)}`,
  );
  return { mails, next: mails.length < SCANNED_MAILS ? undefined : mails.at(-1)?.id };
}

/** Cancels the mails that nobody is sending. Returns their IDs. Locks rows in key order to avoid deadlocks. */
export async function cancelMails(scope: StoredOrganization, ids: string[]): Promise<string[]> {
  const canceled = await scope.run(
    sql<{ id: string }>`with to_purge as (
        select id from mails
        where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)}) and taken_at is null
        order by id for update
      )
      delete from mails using to_purge where organization_key = ${uuid(scope.key)} and mails.id = to_purge.id
      returning mails.id`,
  );
  return canceled.map(({ id }) => id);
}
