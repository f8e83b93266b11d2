import { join, type Sql, sql, texts } from "../../database/sql.ts";
import { recordListenedEvents } from "../event-log/record-events.ts";
import { batchedInOrganization } from "../tenancy/organization-batch.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { fromExistingDocuments } from "../tenancy/tenancy-queries.ts";
import { buildPresenceEvents } from "./event-log.ts";
import { DAY_MS, NOW_ONCE, OFFLINE_AFTER_MS } from "./presence-time-queries.ts";

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

export interface RenewCall {
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
const BATCH = {
  byteSize: ({ rows }: RenewCall) => rows.reduce((bytes, row) => bytes + row.userId.length + textLength(row), 0),
  conflictKeys: ({ documentId, rows }: RenewCall) => rows.map(({ userId }) => JSON.stringify([documentId, userId])),
};

/**
 * Adds and renews the users of many calls with one statement. Returns whether it has: calls whose document is missing
 * or has an access block write nothing. Writes rows in key order to avoid deadlocks.
 */
export const renewPresence = batchedInOrganization<RenewCall, boolean>({
  ...BATCH,
  run: async (scope, calls) => areRenewed(calls, await renewRows(scope, calls, HEARTBEAT)),
});

/** Renews presence, and writes the events of the users whose changes are visible to readers. */
export const renewPresenceAndWriteEvents = batchedInOrganization<RenewCall, boolean>({
  ...BATCH,
  isTransaction: true,
  async run(scope, calls) {
    const renewed = await renewRows(scope, calls, HEARTBEAT);
    const events = buildPresenceEvents(
      "presence.update",
      renewed.filter(({ isChanged }) => isChanged),
    );
    await recordListenedEvents(scope, events);
    return areRenewed(calls, renewed);
  },
});

/** Adds users who have connected. Returns those whose changes are visible to readers. */
export async function connectPresence(scope: StoredOrganization, calls: RenewCall[]): Promise<RenewedRow[]> {
  const renewed = await renewRows(scope, calls, CONNECTION);
  return renewed.filter(({ isChanged }) => isChanged);
}

interface RenewedRow {
  documentId: string;
  userId: string;
  isChanged: boolean;
}

/** Upserts the users in documents that exist and have no access block. Returns those whom it has written. */
function renewRows(scope: StoredOrganization, calls: RenewCall[], replaced: Sql): Promise<RenewedRow[]> {
  const given = sql`unnest(${buildColumns(calls)}) as given (document_id, user_id, name, email, status, source)`;
  return scope.run(
    sql<RenewedRow>`insert into presence (organization_key, document_id, user_id, name, email, status, last_active,
        heartbeat_at)
      select document.organization_key, document.document_id, given.user_id, given.name::json, given.email::json,
        given.status, ${NOW_ONCE}, case when given.source = 'backend' then ${NOW_ONCE} end
      ${fromExistingDocuments(scope.key, given)}
      order by document.document_id, given.user_id collate "C"
      on conflict (organization_key, document_id, user_id) do update set ${replaced}
      returning document_id as "documentId", user_id as "userId", is_changed as "isChanged"`,
  );
}

/** Returns whether each call was written: its document decides, so all of its users were, or none. */
function areRenewed(calls: RenewCall[], renewed: RenewedRow[]): boolean[] {
  const documentIds = new Set(renewed.map(({ documentId }) => documentId));
  return calls.map(({ documentId }) => documentIds.has(documentId));
}

/** Returns the lists of the values of all users. */
function buildColumns(calls: RenewCall[]): Sql {
  const rows = calls.flatMap((call) => call.rows);
  const columns = [
    texts(calls.flatMap((call) => call.rows.map(() => call.documentId))),
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
