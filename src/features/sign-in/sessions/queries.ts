import type { Session, Workspace } from "../../../contract/operation.ts";
import type { Queryable } from "../../../database/database.ts";
import { CALLER_COLUMNS, type CallerRow, milliseconds, notifyChange, workspaceOf } from "../../workspaces/queries.ts";

/** A session ends this long after the sign-in, */
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** and this long after its last use. */
const IDLE_MS = 24 * 60 * 60 * 1000;

const IS_ALIVE = `expires_at > statement_timestamp() and last_used_at > statement_timestamp() - ${interval(IDLE_MS)}`;

/** Times in milliseconds since the epoch. */
export interface SessionRecord {
  id: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  userAgent: string;
}

/** Of the constants of this file. */
function interval(milliseconds: number): string {
  return `interval '${milliseconds / 1000} seconds'`;
}

/** The form in which addresses are compared and kept; the statements have it too. */
export function comparedAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The workspaces, as `w`, that `s.owner_address` reaches, whose null is the operator's. */
const REACHED = `(s.owner_address is null or lower(w.owner_email collate "C") = s.owner_address)`;

/**
 * A session that has not ended, with one of its workspaces: the one named, or the oldest. The workspace is undefined
 * where the session reaches none such.
 */
export async function findSession(
  database: Queryable,
  tokenHash: Buffer,
  workspaceId: string | undefined,
): Promise<{ session: Session; expiresAt: number; workspace: Workspace | undefined } | undefined> {
  // Apart, so that the one that is named is found by its id.
  const named = workspaceId === undefined ? "$2::uuid is null" : "w.id = $2";
  const { rows } = await database.query<CallerRow & Session & { expiresAt: number }>(
    `select s.id, s.owner_address as "ownerAddress",
       ${milliseconds("s.expires_at")} as "expiresAt", ${CALLER_COLUMNS}
     from sessions s
     left join lateral (
       select * from workspaces w where ${REACHED} and ${named} order by w.created_at, w.id limit 1
     ) w on true
     left join email_configs c on c.workspace_id = w.id
     where s.token_hash = $1 and ${IS_ALIVE}`,
    [tokenHash, workspaceId ?? null],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { id, ownerAddress, expiresAt } = row;
  return { session: { id, ownerAddress }, expiresAt, workspace: workspaceOf(row) };
}

export async function insertSession(
  transaction: Queryable,
  session: { id: string; tokenHash: Buffer; ownerAddress: string | null; userAgent: string },
): Promise<void> {
  await transaction.query(
    `insert into sessions (id, token_hash, owner_address, user_agent, expires_at)
     values ($1, $2, $3, $4, statement_timestamp() + ${interval(LIFETIME_MS)})`,
    [session.id, session.tokenHash, session.ownerAddress, session.userAgent],
  );
}

/** Needs a transaction, with whose commit every server learns of it. Nothing where there is no such session. */
export async function deleteSessionOf(transaction: Queryable, tokenHash: Buffer): Promise<void> {
  const { rowCount } = await transaction.query("delete from sessions where token_hash = $1", [tokenHash]);
  if (rowCount) await notifyChange(transaction);
}

/** The oldest first, without those that have ended. The address is in the form that is compared; null: the operator. */
export async function listSessions(database: Queryable, ownerAddress: string | null): Promise<SessionRecord[]> {
  const { rows } = await database.query<SessionRecord>(
    `select id, ${milliseconds("created_at")} as "createdAt", ${milliseconds("last_used_at")} as "lastUsedAt",
       ${milliseconds("expires_at")} as "expiresAt", user_agent as "userAgent"
     from sessions where ${isOf(ownerAddress)} and ${IS_ALIVE} order by sessions.created_at, id`,
    [ownerAddress],
  );
  return rows;
}

/** Needs a transaction, with whose commit every server learns of it. All of them where no ids are given. */
export async function deleteSessions(
  transaction: Queryable,
  ownerAddress: string | null,
  ids: string[] | undefined,
): Promise<string[]> {
  const { rows } = await transaction.query<{ id: string }>(
    `delete from sessions where id in (
       select id from sessions
       where ${isOf(ownerAddress)} and ($2::uuid[] is null or id = any ($2)) and ${IS_ALIVE} order by id for update
     ) returning id`,
    [ownerAddress, ids ?? null],
  );
  if (rows.length > 0) await notifyChange(transaction);
  return rows.map(({ id }) => id);
}

/** The two are served by the index, as `is not distinct from` would not be. */
function isOf(ownerAddress: string | null): string {
  return ownerAddress === null ? "owner_address is null and $1::text is null" : "owner_address = $1";
}

/** Removes up to `limit` that have ended; returns how many it were. */
export async function deleteEndedSessions(database: Queryable, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    `delete from sessions where id in (
       select id from sessions where not (${IS_ALIVE}) order by id limit $1 for update skip locked
     )`,
    [limit],
  );
  return rowCount ?? 0;
}
