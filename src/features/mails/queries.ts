import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../tenancy/queries.ts";

export interface MailKey {
  organizationKey: string;
  /** A uuid. */
  id: string;
}

interface User {
  organizationKey: string;
  userId: string;
}

interface Document {
  organizationKey: string;
  documentId: string;
}

/** Those who want mail of the document, in the order given. */
export async function selectReady<Candidate extends User & Document & { isConcerned: boolean }>(
  database: Queryable,
  candidates: Candidate[],
): Promise<Candidate[]> {
  const { rows } = await database.query<{ index: number }>(
    `select (number - 1)::int as index
     from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[])
       with ordinality as given (organization_key, document_id, user_id, is_concerned, number)
     where case coalesce(${emailAt("given.document_id")}, ${emailAt("''")}, 'ALL')
       when 'ALL' then true when 'MINE' then is_concerned else false end`,
    [
      candidates.map(({ organizationKey }) => organizationKey),
      candidates.map(({ documentId }) => documentId),
      candidates.map(({ userId }) => userId),
      candidates.map(({ isConcerned }) => isConcerned),
    ],
  );
  const ready = new Set(rows.map(({ index }) => index));
  return candidates.filter((_, index) => ready.has(index));
}

/** What a user wants by mail, of a document or of the organization. */
function emailAt(documentId: string): string {
  return `(select email from notification_configs config
    where config.organization_key = given.organization_key and config.document_id = ${documentId}
      and config.user_id = given.user_id)`;
}

/** The JSON texts of the users' records, in the order given; undefined or null where there is none. */
export async function selectUserRecords(database: Queryable, users: User[]): Promise<(string | null | undefined)[]> {
  return selectRecords(database, "users", "user_id", users, ({ userId }) => userId);
}

/** The same of the documents' records. */
export async function selectDocumentRecords(
  database: Queryable,
  documents: Document[],
): Promise<(string | null | undefined)[]> {
  return selectRecords(database, "documents", "document_id", documents, ({ documentId }) => documentId);
}

/** Reads each record once. */
async function selectRecords<Place extends { organizationKey: string }>(
  database: Queryable,
  table: "users" | "documents",
  column: "user_id" | "document_id",
  places: Place[],
  idOf: (place: Place) => string,
): Promise<(string | null | undefined)[]> {
  const nameOf = (place: Place) => `${place.organizationKey} ${idOf(place)}`;
  const distinct = [...new Map(places.map((place) => [nameOf(place), place])).values()];
  const { rows } = await database.query<{ index: number; record: string | null }>(
    `select (number - 1)::int as index, record::text as record
     from unnest($1::uuid[], $2::text[]) with ordinality as given (organization_key, ${column}, number)
     join ${table} using (organization_key, ${column})`,
    [distinct.map(({ organizationKey }) => organizationKey), distinct.map(idOf)],
  );
  const found = new Map(rows.map(({ index, record }) => [index, record]));
  const records = new Map(distinct.map((place, index) => [nameOf(place), found.get(index)]));
  return places.map((place) => records.get(nameOf(place)));
}

export interface NewMail extends MailKey {
  workspaceId: string;
  documentId: string;
  userId: string;
  address: string;
  /** The ids of the other users that it speaks of. */
  people: string[];
  /** JSON text of what the template needs. */
  record: string;
}

export async function insertMails(transaction: Queryable, mails: NewMail[]): Promise<void> {
  await transaction.query(
    `insert into mails (organization_key, id, workspace_id, document_id, user_id, address, people, record, created_at)
     select organization_key, id, workspace_id, document_id, user_id, address,
       array(select json_array_elements_text(people::json)), record::json,
       ${NOW_MS}
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as given (organization_key, id, workspace_id, document_id, user_id, address, people, record)`,
    [
      mails.map(({ organizationKey }) => organizationKey),
      mails.map(({ id }) => id),
      mails.map(({ workspaceId }) => workspaceId),
      mails.map(({ documentId }) => documentId),
      mails.map(({ userId }) => userId),
      mails.map(({ address }) => address),
      mails.map(({ people }) => JSON.stringify(people)),
      mails.map(({ record }) => record),
    ],
  );
}

interface TakenMail {
  workspaceId: string;
  userId: string;
  address: string;
  people: string[];
  /** JSON text. */
  record: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  ageMs: number;
  /** Why mails of its organization are not sent at present. */
  block: AccessBlock | null;
}

/** Makes the mail the caller's to send, and nobody else's. Undefined where it is taken or gone. */
export async function takeMail(database: Queryable, { organizationKey, id }: MailKey): Promise<TakenMail | undefined> {
  const { rows } = await database.query<TakenMail>(
    `update mails set taken_at = ${NOW_MS} where organization_key = $1 and id = $2 and taken_at is null
     returning workspace_id as "workspaceId", user_id as "userId", address, people, record::text as record,
       created_at as "createdAt", ${NOW_MS} - created_at as "ageMs", ${ACCESS_BLOCK} as block`,
    [organizationKey, id],
  );
  return rows[0];
}

/** Gives back a mail that was taken and has not been sent. */
export async function releaseMail(database: Queryable, { organizationKey, id }: MailKey): Promise<void> {
  await database.query("update mails set taken_at = null where organization_key = $1 and id = $2", [
    organizationKey,
    id,
  ]);
}

/** Whether it was there still. */
export async function deleteMail(database: Queryable, { organizationKey, id }: MailKey): Promise<boolean> {
  const { rowCount } = await database.query("delete from mails where organization_key = $1 and id = $2", [
    organizationKey,
    id,
  ]);
  return rowCount === 1;
}

/**
 * Deletes a mail that was taken so long ago that its taker must have died. `taken`: it is with somebody who may live.
 */
export async function deleteAbandoned(
  database: Queryable,
  { organizationKey, id }: MailKey,
  longestMs: number,
): Promise<"abandoned" | "taken" | "gone"> {
  const { rows } = await database.query<{ found: "abandoned" | "taken" | "gone" }>(
    `with abandoned as (
       delete from mails where organization_key = $1 and id = $2 and taken_at < ${NOW_MS} - $3::bigint returning id
     )
     select case when exists (select from abandoned) then 'abandoned'
       when exists (select from mails where organization_key = $1 and id = $2) then 'taken' else 'gone' end as found`,
    [organizationKey, id, longestMs],
  );
  return rows[0]?.found ?? "gone";
}

export interface FoundMail {
  id: string;
  userId: string;
  address: string;
  people: string[];
  /** JSON text. */
  record: string;
}

const SCANNED_MAILS = 500;
/** Whom a mail concerns or names, as one JSON text. */
export const NAMING_TEXT = `json_build_object('userIds', array_prepend(user_id, people), 'address', address,
  'record', record)::text`;

/** The next ones that were queued up to the acceptance, by id, and the last id when there may be more. */
export async function scanMails(
  database: Queryable,
  { organizationKey, acceptedAt }: { organizationKey: string; acceptedAt: number },
  after: string | undefined,
): Promise<{ mails: FoundMail[]; next: string | undefined }> {
  const { rows } = await database.query<FoundMail>(
    `select id, user_id as "userId", address, people, record::text as record from mails
     where organization_key = $1 and created_at <= $2 and ($3::uuid is null or id > $3::uuid)
     order by id limit ${SCANNED_MAILS}`,
    [organizationKey, acceptedAt, after ?? null],
  );
  return { mails: rows, next: rows.length < SCANNED_MAILS ? undefined : rows.at(-1)?.id };
}

/** Deletes those that nobody is sending. Returns how many that were. */
export async function withdrawMails(transaction: Queryable, organizationKey: string, ids: string[]): Promise<number> {
  const { rowCount } = await transaction.query(
    `with victim as (
       select id from mails where organization_key = $1 and id = any($2::uuid[]) and taken_at is null
       order by id for update
     )
     delete from mails using victim where organization_key = $1 and mails.id = victim.id`,
    [organizationKey, ids],
  );
  return rowCount ?? 0;
}
