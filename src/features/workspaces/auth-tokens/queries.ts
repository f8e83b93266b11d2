import type { Queryable } from "../../../database/database.ts";
import { notifyChange } from "../queries.ts";

/** Needs a transaction, until whose end others that count wait: what is added after it is counted by them. */
export async function countTokens(transaction: Queryable, workspaceId: string): Promise<number> {
  await transaction.query("select from workspaces where id = $1 for no key update", [workspaceId]);
  const { rows } = await transaction.query<{ count: number }>(
    "select count(*) as count from auth_tokens where workspace_id = $1",
    [workspaceId],
  );
  return rows[0]?.count ?? 0;
}

/** Needs a transaction, with whose commit every server learns of it. Returns the ids of those that were there. */
export async function deleteTokens(transaction: Queryable, workspaceId: string, ids: string[]): Promise<string[]> {
  const { rows } = await transaction.query<{ id: string }>(
    `delete from auth_tokens where id in (
       select id from auth_tokens where workspace_id = $1 and id = any ($2::uuid[]) order by id for update
     ) returning id`,
    [workspaceId, ids],
  );
  if (rows.length > 0) await notifyChange(transaction);
  return rows.map(({ id }) => id);
}
