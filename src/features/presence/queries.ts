import {
  bigint,
  EMPTY,
  integer,
  integers,
  join,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
} from "../../database/sql.ts";
import { batched, type Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { purgeLockedRows, purging } from "../erasure/queries.ts";
import type { UsersScope } from "../erasure/user-data-kind.ts";
import { userPages } from "../erasure/users/queries.ts";
import {
  type AccessBlock,
  accessBlock,
  type DocumentRef,
  ensureDocuments,
  fromExistingDocuments,
} from "../tenancy/queries.ts";

interface PresenceRow {
  userId: string;
  /** The JSON texts of two strings. Null keeps the stored value. */
  name: string | null;
  email: string | null;
  status: string;
}

interface RenewCall extends DocumentRef {
  documentId: string;
  rows: PresenceRow[];
}

/** The current time, computed once a statement and not once a row. */
const NOW_ONCE = sql`(select ${NOW_MS})`;
/** Condition that an entry was renewed within 10 minutes. */
const IS_RENEWED = sql`last_active > ${NOW_ONCE} - 10 * 60 * 1000`;
const DAY_MS = sql`24 * 60 * 60 * 1000`;
/** Condition that an entry was renewed within 24 hours. */
const IS_PRESENT = sql`presence.last_active > ${NOW_ONCE} - ${DAY_MS}`;
/** The same for an entry that is being renewed. */
const WAS_PRESENT = sql`presence.last_active > excluded.last_active - ${DAY_MS}`;

/**
 * Adds and renews the users of many calls with one statement; a call with an access block writes nothing. Organizations
 * and documents are created with their first user. Writes rows in key order to avoid deadlocks.
 */
export const renewPresence = batched<RenewCall, { block: AccessBlock | null }>({
  byteSize: ({ rows }) => rows.reduce((bytes, row) => bytes + row.userId.length + textLength(row), 0),
  organizationKey: ({ organizationKey }) => organizationKey,
  *conflictKeys({ organizationKey, documentId, rows }) {
    for (const { userId } of rows) yield `${organizationKey} ${documentId} ${userId}`;
  },
  async run(database, calls) {
    const refused = await database.run(
      sql<{ call: number; block: AccessBlock }>`with ${ensureDocuments(calls)}, renewed as (
          ${insertPresence(selectRows(calls))}
        )
        select number::int as call, block from call where block is not null`,
    );
    const blocks = new Map(refused.map(({ call, block }) => [call, block]));
    return calls.map((_, index) => ({ block: blocks.get(index + 1) ?? null }));
  },
  async runOnShard(database, calls) {
    const renewed = await database.run(
      sql<{ document: string; user: string }>`${insertPresence(selectRowsOnShard(calls))}
        returning document_id as document, user_id as user`,
    );
    const keys = new Set(renewed.map(({ document, user }) => JSON.stringify([document, user])));
    return calls.map(({ documentId, rows }) =>
      rows.every(({ userId }) => keys.has(JSON.stringify([documentId, userId]))) ? { block: null } : undefined,
    );
  },
});

/** Returns the upsert of the users that `select` returns. */
function insertPresence(select: Sql): Sql {
  return sql`insert into presence (organization_key, document_id, user_id, name, email, status, last_active)
    ${select}
    on conflict (organization_key, document_id, user_id) do update set
      name = coalesce(excluded.name, case when ${WAS_PRESENT} then presence.name end),
      email = coalesce(excluded.email, case when ${WAS_PRESENT} then presence.email end),
      status = excluded.status, last_active = excluded.last_active`;
}

/** Returns the select of the users of all calls in the relation `call`. */
function selectRows(calls: RenewCall[]): Sql {
  const numbers = integers(calls.flatMap((call, index) => call.rows.map(() => index + 1)));
  return sql`select call.organization_key, call.document_id, input.user_id, input.name::json, input.email::json,
      input.status, ${NOW_ONCE}
    from unnest(${numbers}, ${columnsOf(calls)}) as input (call, user_id, name, email, status)
    join call on call.number = input.call and call.block is null
    order by call.organization_key, call.document_id, input.user_id`;
}

/** Returns the same select for calls of one organization whose documents exist, which one shard of Citus executes. */
function selectRowsOnShard(calls: RenewCall[]): Sql {
  const documents = texts(calls.flatMap(({ documentId, rows }) => rows.map(() => documentId)));
  const given = sql`unnest(${documents}, ${columnsOf(calls)}) as given (document_id, user_id, name, email, status)`;
  return sql`select document.organization_key, document.document_id, given.user_id, given.name::json,
      given.email::json, given.status, ${NOW_ONCE}
    ${fromExistingDocuments(calls, given)}
    order by document.document_id, given.user_id`;
}

/** Returns the lists of the values of all users. */
function columnsOf(calls: RenewCall[]): Sql {
  const rows = calls.flatMap((call) => call.rows);
  const columns = [
    texts(rows.map(({ userId }) => userId)),
    texts(rows.map(({ name }) => name)),
    texts(rows.map(({ email }) => email)),
    texts(rows.map(({ status }) => status)),
  ];
  return join(columns, ", ");
}

function textLength({ name, email }: PresenceRow): number {
  return (name?.length ?? 0) + (email?.length ?? 0);
}

/** Returns the expression for the JSON text of an entry, whose first field is `id` and whose status is `status`. */
function entryText(id: Sql, status: Sql): Sql {
  return sql`'{' || ${id} || coalesce(',"name":' || name, '') || coalesce(',"email":' || email, '')
    || ',"status":"' || ${status} || '","lastActive":' || last_active || '}'`;
}

/** Returns the JSON array of the users present in a document, by user id; with `userIds`, only theirs. */
export async function selectPresence(
  database: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[] | undefined,
): Promise<{ users: string; block: AccessBlock | null }> {
  const entry = entryText(
    sql`'"userId":' || to_json(user_id)`,
    sql`case when ${IS_RENEWED} then status else 'offline' end`,
  );
  const [row] = await database.run(
    sql<{
      users: string | null;
      block: AccessBlock | null;
    }>`select ${accessBlock(organizationKey, documentId)} as block,
        string_agg(entry, ',') as users
      from (
        select ${entry} as entry from presence
        where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)} and ${IS_PRESENT}
          ${userIds ? sql`and user_id = any(${texts(userIds)})` : EMPTY}
        order by user_id
      ) as entries`,
  );
  return { users: `[${row?.users ?? ""}]`, block: row?.block ?? null };
}

/** Deletes the users' entries in a document. Locks rows in key order to avoid deadlocks. */
export async function deletePresenceRows(
  transaction: Queryable,
  organizationKey: string,
  documentId: string,
  userIds: string[],
): Promise<void> {
  await transaction.run(
    sql`with leaving as (
        select document_id, user_id from presence
        where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}
          and user_id = any(${texts(userIds)})
        order by user_id for update
      )
      delete from presence using leaving
      where presence.organization_key = ${uuid(organizationKey)} and presence.document_id = leaving.document_id
        and presence.user_id = leaving.user_id`,
  );
}

/** Condition that an entry expired, which is a range of an index. */
const IS_EXPIRED = sql`active_hour < (${NOW_ONCE} - ${DAY_MS}) / (60 * 60 * 1000)`;

/**
 * Deletes at most `limit` expired entries, those of each organization by a statement. Returns how many. Skips locked
 * rows, so that several processes can do this at the same time.
 */
export async function deleteExpired(database: Queryable, limit: number): Promise<number> {
  const expired = await database.run(
    sql<{ key: string; documentId: string; userId: string }>`select organization_key as key,
        document_id as "documentId", user_id as "userId"
      from presence where ${IS_EXPIRED} order by active_hour limit ${integer(limit)}`,
  );
  let count = 0;
  for (const [key, entries] of Map.groupBy(expired, (entry) => entry.key)) {
    const [row] = await database.run(
      purging(
        (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
          select ctid as row_id from presence
          where organization_key = ${uuid(key)} and ${IS_EXPIRED}
            and document_id = any(${texts([...new Set(entries.map(({ documentId }) => documentId))])})
            and user_id = any(${texts([...new Set(entries.map(({ userId }) => userId))])})
          for update skip locked
        ), purged as (${purgeLockedRows("presence", key, isDistributed)} returning 1 as one)
        select count(*) as count from purged`,
      ),
    );
    count += row?.count ?? 0;
  }
  return count;
}

/** Reads one page of a user's entries, by document. */
export const selectPresenceExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select document_id, 0 as record_bytes,
        ${entryText(sql`'"documentId":' || to_json(document_id)`, sql`status`)} as record
      from presence where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as entry where true`,
  keys: ["document_id"],
  keyType: "text",
});

/** Returns the JSON texts of the email addresses in the users' entries, each once. */
export async function selectAddresses(database: Queryable, scope: UsersScope): Promise<string[]> {
  const rows = await database.run(
    unprepared(
      sql<{ email: string }>`select distinct email::text as email from presence
        where organization_key = ${uuid(scope.organizationKey)} and user_id = any(${texts(scope.userIds)})
          and last_active <= ${bigint(scope.acceptedAt)} and email is not null`,
    ),
  );
  return rows.map(({ email }) => email);
}
