import { plainArray, textArray } from "../../database/array-parameter.ts";
import type { BatchedStatement } from "../../database/batch.ts";
import type { Queryable } from "../../database/database.ts";
import { NOW_MS } from "../../database/now.ts";
import { purgeLockedRows } from "../erasure/queries.ts";
import type { UsersScope } from "../erasure/user-data-kind.ts";
import { userPages } from "../erasure/users/queries.ts";
import {
  ACCESS_BLOCK,
  type AccessBlock,
  type DocumentRef,
  documentParameters,
  ensureDocuments,
} from "../tenancy/queries.ts";

interface PresenceRow {
  userId: string;
  /** The JSON texts of two strings; null keeps what is there. */
  name: string | null;
  email: string | null;
  status: string;
}

interface RenewCall extends DocumentRef {
  documentId: string;
  rows: PresenceRow[];
}

/** Read once a statement, not once a row. */
const NOW_ONCE = `(select ${NOW_MS})`;
/** Whether an entry has been renewed within 10 minutes, and within 24 hours. */
const IS_RENEWED = `last_active > ${NOW_ONCE} - 10 * 60 * 1000`;
const IS_PRESENT = `presence.last_active > ${NOW_ONCE} - 24 * 60 * 60 * 1000`;

/**
 * Adds and renews the users of many calls with one statement, each call whole or, where an access block stands, not at
 * all. Organizations and documents come to exist with their first user. Rows are written in the order of their keys,
 * so that two statements never wait for each other in a circle.
 */
export const renewPresence: BatchedStatement<RenewCall, { block: AccessBlock | null }> = {
  byteSize: ({ rows }) => rows.reduce((bytes, row) => bytes + row.userId.length + textBytes(row), 0),
  *conflictKeys({ organizationKey, documentId, rows }) {
    for (const { userId } of rows) yield `${organizationKey}${documentId}\0${userId}`;
  },
  async run(database, calls) {
    const { rows } = await database.query<{ call: number; block: AccessBlock }>(
      `with ${ensureDocuments()}, renewed as (
         insert into presence (organization_key, document_id, user_id, name, email, status, last_active)
         select call.organization_key, call.document_id, given.user_id, given.name::json, given.email::json,
           given.status, ${NOW_ONCE}
         from unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::text[])
           as given (call, user_id, name, email, status)
         join call on call.number = given.call and call.block is null
         order by call.organization_key, call.document_id, given.user_id
         on conflict (organization_key, document_id, user_id) do update set
           name = coalesce(excluded.name, case when ${IS_PRESENT} then presence.name end),
           email = coalesce(excluded.email, case when ${IS_PRESENT} then presence.email end),
           status = excluded.status, last_active = excluded.last_active
       )
       select number::int as call, block from call where block is not null`,
      renewParameters(calls),
    );
    const blocks = new Map(rows.map(({ call, block }) => [call, block]));
    return calls.map((_, index) => ({ block: blocks.get(index + 1) ?? null }));
  },
};

function textBytes({ name, email }: PresenceRow): number {
  return (name?.length ?? 0) + (email?.length ?? 0);
}

function renewParameters(calls: RenewCall[]): unknown[] {
  const rows = calls.flatMap((call, index) => call.rows.map((row) => ({ ...row, call: index + 1 })));
  return [
    ...documentParameters(calls),
    plainArray(rows.map(({ call }) => call)),
    textArray(rows.map(({ userId }) => userId)),
    textArray(rows.map(({ name }) => name)),
    textArray(rows.map(({ email }) => email)),
    textArray(rows.map(({ status }) => status)),
  ];
}

/** The JSON array of who is present on a document, by user id; with `userIds` only theirs. */
export async function selectPresence(
  database: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[] | undefined,
): Promise<{ users: string; block: AccessBlock | null }> {
  const { rows } = await database.query<{ users: string | null; block: AccessBlock | null }>(
    `select ${ACCESS_BLOCK} as block, string_agg(entry, ',') as users
     from (
       select '{"userId":' || to_json(user_id) || coalesce(',"name":' || name, '') || coalesce(',"email":' || email, '')
         || ',"status":"' || case when ${IS_RENEWED} then status else 'offline' end
         || '","lastActive":' || last_active || '}' as entry
       from presence
       where organization_key = $1 and document_id = $2 and ${IS_PRESENT} ${userIds ? "and user_id = any($3)" : ""}
       order by user_id
     ) as entries`,
    [organizationKey, documentId, ...(userIds ? [userIds] : [])],
  );
  return { users: `[${rows[0]?.users ?? ""}]`, block: rows[0]?.block ?? null };
}

/** In the order of the keys, so that it never waits for a heartbeat that waits for it. */
export async function deleteUsers(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.query(
    `with leaving as (
       select organization_key, document_id, user_id from presence
       where organization_key = $1 and document_id = $2 and user_id = any($3)
       order by user_id for update
     )
     delete from presence using leaving
     where presence.organization_key = leaving.organization_key and presence.document_id = leaving.document_id
       and presence.user_id = leaving.user_id`,
    [organizationKey, documentId, userIds],
  );
}

/**
 * Deletes at most `limit` entries of any organization that no read shows any more, and returns how many. Those that
 * are being written or deleted are passed over, so any number of processes may do this at once.
 */
export async function deleteExpired(database: Queryable, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    `with victim as materialized (
       select ctid as row_id from presence
       where active_hour < (${NOW_ONCE} - 24 * 60 * 60 * 1000) / (60 * 60 * 1000)
       order by active_hour limit $1 for update skip locked
     ) ${purgeLockedRows("presence")}`,
    [limit],
  );
  return rowCount ?? 0;
}

/** Where the user is or was present, by document. */
export const selectUserPage = userPages({
  source: `from (
    select document_id, 0 as record_bytes, '{"documentId":' || to_json(document_id)
      || coalesce(',"name":' || name, '') || coalesce(',"email":' || email, '')
      || ',"status":"' || status || '","lastActive":' || last_active || '}' as record
    from presence where organization_key = $1 and user_id = $2
  ) as entry where true`,
  keys: ["document_id"],
});

/** The JSON texts of the addresses that the users gave, each once. */
export async function selectAddresses(database: Queryable, scope: UsersScope): Promise<string[]> {
  const { rows } = await database.unprepared<{ email: string }>(
    `select distinct email::text as email from presence
     where organization_key = $1 and user_id = any($2) and last_active <= $3 and email is not null`,
    [scope.organizationKey, scope.userIds, scope.acceptedAt],
  );
  return rows.map(({ email }) => email);
}
