import type { Scope } from "../../../contract/scopes.ts";
import { sql, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable, Transaction } from "../../../database/statement.ts";
import { milliseconds } from "../../../database/time.ts";
import { lockWorkspace, notifyChange } from "../workspace-queries.ts";

/** Counts the tokens of a workspace in a transaction. Concurrent calls that count wait until its end. */
export async function countTokens(transaction: Transaction, workspaceId: string): Promise<number> {
  await lockWorkspace(transaction, workspaceId);
  const [row] = await transaction.run(
    sql<{ count: number }>`select count(*) as count from auth_tokens where workspace_id = ${uuid(workspaceId)}`,
  );
  return row?.count ?? 0;
}

/** Deletes tokens in a transaction; every server learns of it with the commit. Returns the ids of those deleted. */
export async function deleteTokens(transaction: Queryable, workspaceId: string, ids: string[]): Promise<string[]> {
  const rows = await transaction.run(
    sql<{ id: string }>`delete from auth_tokens where id in (
        select id from auth_tokens where workspace_id = ${uuid(workspaceId)} and id = any(${uuids(ids)})
        order by id for update
      ) returning id`,
  );
  if (rows.length > 0) await notifyChange(transaction);
  return rows.map(({ id }) => id);
}

/** Deletes a token in a transaction, and returns what a replacement inherits; undefined if there is no such token. */
export async function takeToken(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<{ name: string; scopes: Scope[]; expiresAt: number | undefined } | undefined> {
  const isToken = sql`workspace_id = ${uuid(workspaceId)} and id = ${uuid(id)}`;
  // Citus computes no time in what a deletion returns.
  const [taken] = await transaction.run(
    sql<{ name: string; scopes: Scope[]; expiresAt: number | null }>`select name, scopes,
        ${milliseconds(sql`expires_at`)} as "expiresAt"
      from auth_tokens where ${isToken} for update`,
  );
  if (!taken) return undefined;
  await transaction.run(sql`delete from auth_tokens where ${isToken}`);
  await notifyChange(transaction);
  return { ...taken, expiresAt: taken.expiresAt ?? undefined };
}
