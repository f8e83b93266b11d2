import type { Queryable } from "../../database/database.ts";
import { OBSTACLE, type Obstacle } from "../organizations/queries.ts";

export interface MailKey {
  organizationKey: string;
  /** A uuid. */
  id: string;
}

/** Which of the users want mail of the document, with their records, and the record of the document; JSON texts. */
export async function selectReadiness(
  database: Queryable,
  organizationKey: string,
  documentId: string,
  users: { userId: string; isConcerned: boolean }[],
): Promise<{ document: string | null; ready: { userId: string; record: string | null }[] }> {
  const { rows } = await database.query<{ userId: string; record: string | null; document: string | null }>(
    `select given.user_id as "userId", users.record::text as record,
       (select record::text from documents where organization_key = $1 and document_id = $2) as document
     from unnest($3::text[], $4::boolean[]) as given (user_id, is_concerned)
     left join users on users.organization_key = $1 and users.user_id = given.user_id
     where case coalesce(${emailAt("$2")}, ${emailAt("''")}, 'ALL')
       when 'ALL' then true when 'MINE' then is_concerned else false end`,
    [organizationKey, documentId, users.map(({ userId }) => userId), users.map(({ isConcerned }) => isConcerned)],
  );
  return { document: rows[0]?.document ?? null, ready: rows };
}

/** What a user wants by mail, of a document or of the organization. */
function emailAt(documentId: string): string {
  return `(select email from notification_configs config
    where config.organization_key = $1 and config.document_id = ${documentId} and config.user_id = given.user_id)`;
}

export interface NewMail {
  id: string;
  userId: string;
  address: string;
  /** JSON text of what the template needs. */
  record: string;
}

export async function insertMails(
  transaction: Queryable,
  place: { organizationKey: string; workspaceId: string; documentId: string; people: string[] },
  mails: NewMail[],
): Promise<void> {
  await transaction.query(
    `insert into mails (organization_key, id, workspace_id, document_id, user_id, address, people, record, created_at)
     select $1, id, $2, $3, user_id, address, $4, record::json,
       floor(extract(epoch from statement_timestamp()) * 1000)::bigint
     from unnest($5::uuid[], $6::text[], $7::text[], $8::text[]) as given (id, user_id, address, record)`,
    [
      ...[place.organizationKey, place.workspaceId, place.documentId, place.people],
      ...[mails.map(({ id }) => id), mails.map(({ userId }) => userId)],
      ...[mails.map(({ address }) => address), mails.map(({ record }) => record)],
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
  obstacle: Obstacle | null;
}

const NOW_MS = "floor(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** Makes the mail the caller's to send, and nobody else's. Undefined where it is taken or gone. */
export async function takeMail(database: Queryable, { organizationKey, id }: MailKey): Promise<TakenMail | undefined> {
  const { rows } = await database.query<TakenMail>(
    `update mails set taken_at = ${NOW_MS} where organization_key = $1 and id = $2 and taken_at is null
     returning workspace_id as "workspaceId", user_id as "userId", address, people, record::text as record,
       created_at as "createdAt", ${NOW_MS} - created_at as "ageMs", ${OBSTACLE} as obstacle`,
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
