import { integers, join, type Sql, sql, texts } from "../../../database/sql.ts";
import { type BatchedStatement, batched, type Queryable } from "../../../database/statement.ts";
import { writeEvents } from "../../event-log/queries.ts";
import { eventsOfFirstUse } from "../../first-use/events.ts";
import {
  type AccessBlock,
  CREATED,
  type Created,
  type DocumentRef,
  ensureDocuments,
  fromExistingDocuments,
  KEY_DIGITS,
} from "../../tenancy/queries.ts";
import { eventsOfPresence } from "../event-log.ts";
import { DAY_MS, NOW_ONCE, OFFLINE_AFTER_MS } from "../times/queries.ts";

/** Who says that a user is there. A heartbeat of a backend outlasts the connections of the user. */
type Source = "backend" | "user";

export interface PresenceRow {
  userId: string;
  /** The JSON texts of two strings. Null keeps the stored value. */
  name: string | null;
  email: string | null;
  status: string;
  source: Source;
}

export interface RenewCall extends DocumentRef {
  documentId: string;
  rows: PresenceRow[];
}

/** Condition that an entry that is being renewed was renewed within 24 hours. */
const WAS_PRESENT = sql`presence.last_active > excluded.last_active - ${DAY_MS}`;
/** Condition that readers have seen the user as offline until now. */
const WAS_OFFLINE = sql`(presence.status = 'offline'
  or presence.last_active <= excluded.last_active - ${OFFLINE_AFTER_MS})`;
/** What a heartbeat replaces. */
const HEARTBEAT = sql`
  name = coalesce(excluded.name, case when ${WAS_PRESENT} then presence.name end),
  email = coalesce(excluded.email, case when ${WAS_PRESENT} then presence.email end),
  status = excluded.status, last_active = excluded.last_active,
  heartbeat_at = coalesce(excluded.heartbeat_at, presence.heartbeat_at),
  is_changed = presence.last_active <= excluded.last_active - ${OFFLINE_AFTER_MS}
    or presence.status <> excluded.status
    or (excluded.name is not null and excluded.name::text is distinct from presence.name::text)
    or (excluded.email is not null and excluded.email::text is distinct from presence.email::text)`;
/** What a new connection replaces: a status that the user has chosen stays, and so do the name and email. */
const CONNECTION = sql`
  name = coalesce(case when ${WAS_PRESENT} then presence.name end, excluded.name),
  email = coalesce(case when ${WAS_PRESENT} then presence.email end, excluded.email),
  status = case when ${WAS_OFFLINE} then excluded.status else presence.status end,
  last_active = excluded.last_active,
  is_changed = ${WAS_OFFLINE} or (presence.name is null and excluded.name is not null)
    or (presence.email is null and excluded.email is not null)`;

/** What batches of heartbeats have in common. */
const BATCH: Pick<BatchedStatement<RenewCall, unknown>, "byteSize" | "organizationKey" | "conflictKeys"> = {
  byteSize: ({ rows }) => rows.reduce((bytes, row) => bytes + row.userId.length + textLength(row), 0),
  organizationKey: ({ organizationKey }) => organizationKey,
  *conflictKeys({ organizationKey, documentId, rows }) {
    for (const { userId } of rows) yield `${organizationKey} ${documentId} ${userId}`;
  },
};

/**
 * Adds and renews the users of many calls with one statement; a call with an access block writes nothing. Organizations
 * and documents are created with their first user. Writes rows in key order to avoid deadlocks.
 */
export const renewPresence = batched<RenewCall, { block: AccessBlock | null }>({
  ...BATCH,
  run: async (database, _organizationKey, calls) =>
    blocksOf(calls, (await renewRows(database, calls, HEARTBEAT)).refused),
  runOnShard: async (database, _organizationKey, calls) => resultsOf(calls, await renewRowsOnShard(database, calls)),
});

/** Does the same, and writes the events of the users whose changes are visible to readers. */
export const renewPresenceAndWriteEvents = batched<RenewCall, { block: AccessBlock | null }>({
  ...BATCH,
  isTransaction: true,
  async run(transaction, _organizationKey, calls) {
    const { refused, changed, created } = await renewRows(transaction, calls, HEARTBEAT);
    const events = [...eventsOfFirstUse(calls, created), ...eventsOfPresence("presence.update", changed)];
    if (events.length > 0) await transaction.run(writeEvents(events));
    return blocksOf(calls, refused);
  },
  async runOnShard(transaction, _organizationKey, calls) {
    const renewed = await renewRowsOnShard(transaction, calls);
    const events = eventsOfPresence(
      "presence.update",
      renewed.filter(({ isChanged }) => isChanged),
    );
    if (events.length > 0) await transaction.run(writeEvents(events));
    return resultsOf(calls, renewed);
  },
});

/**
 * Adds users who have connected. Returns the users whose changes are visible to readers, and the documents that it has
 * created.
 */
export function connectPresence(
  transaction: Queryable,
  calls: RenewCall[],
): Promise<Pick<RenewedRows, "changed" | "created">> {
  return renewRows(transaction, calls, CONNECTION);
}

interface RenewedRows {
  refused: { call: number; block: AccessBlock }[];
  changed: { organizationKey: string; documentId: string; userId: string }[];
  created: Created;
}

async function renewRows(database: Queryable, calls: RenewCall[], replaced: Sql): Promise<RenewedRows> {
  const [rows] = await database.run(
    sql<RenewedRows>`with ${ensureDocuments(calls)}, renewed as (
        ${insertPresence(selectRows(calls), replaced)}
        returning organization_key, document_id, user_id, is_changed
      )
      select
        coalesce((select json_agg(json_build_object('call', number, 'block', block))
          from call where block is not null), '[]') as refused,
        coalesce((select json_agg(json_build_object('organizationKey', ${KEY_DIGITS},
            'documentId', document_id, 'userId', user_id))
          from renewed where is_changed), '[]') as changed,
        ${CREATED} as created`,
  );
  return rows ?? { refused: [], changed: [], created: { organizationKeys: [], documents: [] } };
}

interface RenewedRow {
  organizationKey: string;
  documentId: string;
  userId: string;
  isChanged: boolean;
}

/** Renews the users of one organization in documents that exist. Returns those whom it has renewed. */
function renewRowsOnShard(database: Queryable, calls: RenewCall[]): Promise<RenewedRow[]> {
  return database.run(
    sql<RenewedRow>`${insertPresence(selectRowsOnShard(calls), HEARTBEAT)}
      returning ${KEY_DIGITS} as "organizationKey", document_id as "documentId",
        user_id as "userId", is_changed as "isChanged"`,
  );
}

/** Returns a result for each call all of whose users were renewed. */
function resultsOf(calls: RenewCall[], renewed: RenewedRow[]): ({ block: null } | undefined)[] {
  const keys = new Set(renewed.map(({ documentId, userId }) => JSON.stringify([documentId, userId])));
  return calls.map(({ documentId, rows }) =>
    rows.every(({ userId }) => keys.has(JSON.stringify([documentId, userId]))) ? { block: null } : undefined,
  );
}

function blocksOf(calls: RenewCall[], refused: RenewedRows["refused"]): { block: AccessBlock | null }[] {
  const blocks = new Map(refused.map(({ call, block }) => [call, block]));
  return calls.map((_, index) => ({ block: blocks.get(index + 1) ?? null }));
}

/** Returns the upsert of the users that `select` returns. */
function insertPresence(select: Sql, replaced: Sql): Sql {
  return sql`insert into presence (organization_key, document_id, user_id, name, email, status, last_active,
      heartbeat_at)
    ${select}
    on conflict (organization_key, document_id, user_id) do update set ${replaced}`;
}

/** Returns the select of the users of all calls in the relation `call`. */
function selectRows(calls: RenewCall[]): Sql {
  const numbers = integers(calls.flatMap((call, index) => call.rows.map(() => index + 1)));
  return sql`select call.organization_key, call.document_id, input.user_id, input.name::json, input.email::json,
      input.status, ${NOW_ONCE}, case when input.source = 'backend' then ${NOW_ONCE} end
    from unnest(${numbers}, ${columnsOf(calls)}) as input (call, user_id, name, email, status, source)
    join call on call.number = input.call and call.block is null
    order by call.organization_key, call.document_id collate "C", input.user_id collate "C"`;
}

/** Returns the same select for calls of one organization whose documents exist, which one shard of Citus executes. */
function selectRowsOnShard(calls: RenewCall[]): Sql {
  const documents = texts(calls.flatMap(({ documentId, rows }) => rows.map(() => documentId)));
  const given = sql`unnest(${documents}, ${columnsOf(calls)}) as given
      (document_id, user_id, name, email, status, source)`;
  return sql`select document.organization_key, document.document_id, given.user_id, given.name::json,
      given.email::json, given.status, ${NOW_ONCE}, case when given.source = 'backend' then ${NOW_ONCE} end
    ${fromExistingDocuments(calls[0]?.organizationKey ?? "", given)}
    order by document.document_id, given.user_id collate "C"`;
}

/** Returns the lists of the values of all users. */
function columnsOf(calls: RenewCall[]): Sql {
  const rows = calls.flatMap((call) => call.rows);
  const columns = [
    texts(rows.map(({ userId }) => userId)),
    texts(rows.map(({ name }) => name)),
    texts(rows.map(({ email }) => email)),
    texts(rows.map(({ status }) => status)),
    texts(rows.map(({ source }) => source)),
  ];
  return join(columns, ", ");
}

function textLength({ name, email }: PresenceRow): number {
  return (name?.length ?? 0) + (email?.length ?? 0);
}
