import type { Scope } from "../../../contract/scopes.ts";
import { bigint, bytea, EMPTY, integer, type Sql, sql, text, texts, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { milliseconds } from "../../../database/time.ts";
import { lockWorkspace, notifyChange } from "../workspace-queries.ts";

/** An auth token; its times are in milliseconds since the epoch. */
export interface TokenRecord {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** The last four characters of the secret; null if they are not stored. */
  lastCharacters: string | null;
}

const TOKEN_COLUMNS = sql`id, name, scopes, ${milliseconds(sql`created_at`)} as "createdAt",
  ${milliseconds(sql`expires_at`)} as "expiresAt", ${milliseconds(sql`last_used_at`)} as "lastUsedAt",
  last_characters as "lastCharacters"`;

/** Inserts an auth token; `expiresAt` is in milliseconds since the epoch. Fails if the token exists anywhere. */
export async function insertToken(
  database: Queryable,
  token: {
    id: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    tokenHash: Buffer;
    lastCharacters: string | undefined;
    expiresAt: number | undefined;
  },
): Promise<void> {
  await database.run(
    sql`insert into auth_tokens (id, workspace_id, name, scopes, token_hash, last_characters, expires_at)
      values (${uuid(token.id)}, ${uuid(token.workspaceId)}, ${text(token.name)}, ${texts(token.scopes)},
        ${bytea(token.tokenHash)}, ${text(token.lastCharacters)},
        to_timestamp(${bigint(token.expiresAt ?? null)} / 1000.0))`,
  );
}

/** Returns the auth tokens of a workspace, oldest first. */
export function listTokens(database: Queryable, workspaceId: string): Promise<TokenRecord[]> {
  return database.run(
    sql<TokenRecord>`select ${TOKEN_COLUMNS} from auth_tokens where workspace_id = ${uuid(workspaceId)}
      order by auth_tokens.created_at, id`,
  );
}

/** Returns the newest revoked auth tokens of a workspace, the last one first. */
export function listRevokedTokens(
  database: Queryable,
  workspaceId: string,
  limit: number,
): Promise<(TokenRecord & { revokedAt: number })[]> {
  return database.run(
    sql<TokenRecord & { revokedAt: number }>`select ${TOKEN_COLUMNS}, ${milliseconds(sql`revoked_at`)} as "revokedAt"
      from revoked_auth_tokens where workspace_id = ${uuid(workspaceId)}
      order by revoked_auth_tokens.revoked_at desc, id limit ${integer(limit)}`,
  );
}

/** Returns the ID of a revoked token of a workspace, or undefined if there is no such token. */
export async function findRevokedToken(
  database: Queryable,
  workspaceId: string,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const [row] = await database.run(
    sql<{ id: string }>`select id from revoked_auth_tokens
      where token_hash = ${bytea(tokenHash)} and workspace_id = ${uuid(workspaceId)} limit 1`,
  );
  return row?.id;
}

/** Counts the tokens of a workspace in a transaction. Concurrent calls that count wait until its end. */
export async function countTokens(transaction: Transaction, workspaceId: string): Promise<number> {
  await lockWorkspace(transaction, workspaceId);
  const [row] = await transaction.run(
    sql<{ count: number }>`select count(*) as count from auth_tokens where workspace_id = ${uuid(workspaceId)}`,
  );
  return row?.count ?? 0;
}

interface RevokedToken {
  id: string;
  name: string;
  workspaceId: string;
}

/**
 * Revokes tokens in a transaction, of a workspace or of any; every server learns of it with the commit. Returns those
 * that existed.
 */
export async function revokeTokens(
  transaction: Queryable,
  { workspaceId, ids }: { workspaceId?: string; ids: string[] },
): Promise<RevokedToken[]> {
  const isOfWorkspace: Sql = workspaceId === undefined ? EMPTY : sql`and workspace_id = ${uuid(workspaceId)}`;
  const revoked = await transaction.run(
    sql<RevokedToken>`with deleted as (
        delete from auth_tokens where id in (
          select id from auth_tokens where id = any(${uuids(ids)}) ${isOfWorkspace} order by id for update
        ) returning id, workspace_id, name, token_hash, scopes, created_at, expires_at, last_used_at, last_characters
      )
      insert into revoked_auth_tokens
        (id, workspace_id, name, token_hash, scopes, created_at, expires_at, last_used_at, last_characters)
      select id, workspace_id, name, token_hash, scopes, created_at, expires_at, last_used_at, last_characters
      from deleted returning id, name, workspace_id as "workspaceId"`,
  );
  if (revoked.length > 0) await notifyChange(transaction);
  return revoked;
}

/** Revokes a token in a transaction, and returns what a replacement inherits; undefined if there is no such token. */
export async function takeToken(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<{ name: string; scopes: Scope[]; expiresAt: number | undefined } | undefined> {
  const [taken] = await transaction.run(
    sql<{ name: string; scopes: Scope[]; expiresAt: number | null }>`select name, scopes,
        ${milliseconds(sql`expires_at`)} as "expiresAt"
      from auth_tokens where workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)} for update`,
  );
  if (!taken) return undefined;
  await revokeTokens(transaction, { workspaceId, ids: [id] });
  return { ...taken, expiresAt: taken.expiresAt ?? undefined };
}

/** Deletes up to `limit` tokens that were revoked before a time. Returns how many. */
export async function deleteTokensRevokedBefore(database: Queryable, time: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from revoked_auth_tokens where id in (
        select id from revoked_auth_tokens where revoked_at < to_timestamp(${bigint(time)} / 1000.0)
        order by revoked_at limit ${integer(limit)}
      ) returning id`,
  );
  return deleted.length;
}
