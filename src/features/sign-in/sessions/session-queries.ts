import type { Session, Workspace } from "../../../contract/operation.ts";
import { bytea, integer, type Sql, sql, text, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { milliseconds } from "../../../database/time.ts";
import { CALLER_COLUMNS, type CallerRow, notifyChange, toWorkspace } from "../../workspaces/workspace-queries.ts";

/** Time from the sign-in to the end of a session. */
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** Time from the last use of a session to its end. */
const IDLE_MS = 24 * 60 * 60 * 1000;

const IS_ALIVE = sql`(expires_at > statement_timestamp()
  and last_used_at > statement_timestamp() - make_interval(secs => ${integer(IDLE_MS / 1000)}))`;

/** A session; its times are in milliseconds since the epoch. */
export interface SessionRecord {
  id: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  userAgent: string;
}

/** Returns the form in which addresses are compared and stored; SQL uses lower() with collation "C". */
export function comparedAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The condition that session `s` reaches workspace `w`. The operator's session, without an owner, reaches all. */
const REACHED = sql`(s.owner_address is null or lower(w.owner_email collate "C") = s.owner_address)`;

/**
 * Finds a session that has not ended, with one of its workspaces: the one named, or the oldest. The workspace is
 * undefined if the session does not reach it.
 */
export async function findSession(
  database: Queryable,
  tokenHash: Buffer,
  workspaceId: string | undefined,
): Promise<{ session: Session; expiresAt: number; workspace: Workspace | undefined } | undefined> {
  const isNamed = workspaceId === undefined ? sql`true` : sql`w.id = ${uuid(workspaceId)}`;
  const [row] = await database.run(
    sql<CallerRow & Session & { expiresAt: number }>`select s.id, s.owner_address as "ownerAddress",
        ${milliseconds(sql`s.expires_at`)} as "expiresAt", ${CALLER_COLUMNS}
      from sessions s
      left join lateral (
        select * from workspaces w where ${REACHED} and ${isNamed} order by w.created_at, w.id limit 1
      ) w on true
      left join email_configs c on c.workspace_id = w.id
      where s.token_hash = ${bytea(tokenHash)} and ${IS_ALIVE}`,
  );
  if (!row) return undefined;
  const { id, ownerAddress, expiresAt } = row;
  return { session: { id, ownerAddress }, expiresAt, workspace: toWorkspace(row) };
}

export async function insertSession(
  transaction: Queryable,
  session: { id: string; tokenHash: Buffer; ownerAddress: string | null; userAgent: string },
): Promise<void> {
  await transaction.run(
    sql`insert into sessions (id, token_hash, owner_address, user_agent, expires_at)
      values (${uuid(session.id)}, ${bytea(session.tokenHash)}, ${text(session.ownerAddress)},
        ${text(session.userAgent)}, statement_timestamp() + make_interval(secs => ${integer(LIFETIME_MS / 1000)}))`,
  );
}

/** Deletes a session in a transaction and returns it, if it exists. Every server learns of it with the commit. */
export async function deleteSession(transaction: Queryable, tokenHash: Buffer): Promise<Session | undefined> {
  const [deleted] = await transaction.run(
    sql<Session>`delete from sessions where token_hash = ${bytea(tokenHash)}
      returning id, owner_address as "ownerAddress"`,
  );
  if (deleted) await notifyChange(transaction);
  return deleted;
}

/** Returns the sessions of an owner, or of the operator, that have not ended, oldest first. */
export function listSessions(database: Queryable, ownerAddress: string | null): Promise<SessionRecord[]> {
  return database.run(
    sql<SessionRecord>`select id, ${milliseconds(sql`created_at`)} as "createdAt",
        ${milliseconds(sql`last_used_at`)} as "lastUsedAt", ${milliseconds(sql`expires_at`)} as "expiresAt",
        user_agent as "userAgent"
      from sessions where ${matchesOwner(ownerAddress)} and ${IS_ALIVE} order by sessions.created_at, id`,
  );
}

/** Deletes the named sessions, or all if none are named, in a transaction. Returns the ids of those deleted. */
export async function deleteSessionRows(
  transaction: Queryable,
  ownerAddress: string | null,
  ids: string[] | undefined,
): Promise<string[]> {
  const isNamed = ids === undefined ? sql`true` : sql`id = any(${uuids(ids)})`;
  const rows = await transaction.run(
    sql<{ id: string }>`delete from sessions where id in (
        select id from sessions where ${matchesOwner(ownerAddress)} and ${isNamed} and ${IS_ALIVE}
        order by id for update
      ) returning id`,
  );
  if (rows.length > 0) await notifyChange(transaction);
  return rows.map(({ id }) => id);
}

/** Returns the condition on the owner in a form that the index serves; `is not distinct from` would not be. */
function matchesOwner(ownerAddress: string | null): Sql {
  return ownerAddress === null ? sql`owner_address is null` : sql`owner_address = ${text(ownerAddress)}`;
}

/** Deletes up to `limit` ended sessions. Returns how many. */
export async function deleteEndedSessions(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from sessions where id in (
        select id from sessions where not ${IS_ALIVE} order by id limit ${integer(limit)} for update skip locked
      ) returning id`,
  );
  return deleted.length;
}
