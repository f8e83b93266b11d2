import type { Workspace } from "../../contract/operation.ts";
import type { UserKey } from "../../database/keys.ts";
import { bigint, bytea, integer, sql, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { takeTokenNumber } from "../access/token-number-queries.ts";
import { CALLER_COLUMNS, type CallerRow, notifyChange, toWorkspace } from "../workspaces/workspace-queries.ts";

/** Finds the workspace of a user token, and the last revocation of the user's tokens, if any. */
export async function findUserTokenCaller(
  database: Queryable,
  { apiKeyHash, userKey }: { apiKeyHash: Buffer; userKey: UserKey },
): Promise<{ workspace: Workspace | undefined; revocation: { number: number; revokedAt: number } | undefined }> {
  const [row] = await database.run(
    sql<CallerRow & { number: number | null; revokedAt: number }>`select ${CALLER_COLUMNS}, r.number,
        r.revoked_at as "revokedAt"
      from workspaces w
      left join email_configs c on c.workspace_id = w.id
      left join user_token_revocations r on r.workspace_id = w.id and r.user_key = ${uuid(userKey)}
      where w.api_key_hash = ${bytea(apiKeyHash)}`,
  );
  if (!row) return { workspace: undefined, revocation: undefined };
  const { number, revokedAt, ...workspace } = row;
  return { workspace: toWorkspace(workspace), revocation: number === null ? undefined : { number, revokedAt } };
}

/**
 * Revokes all tokens that users have been issued until now. The numbers decide about tokens of the service, because the
 * clock may have been ahead, and the time about those of other issuers: the later of two clocks, of which one may be
 * behind. Every process learns of it with the commit.
 */
export async function upsertRevocations(
  transaction: Queryable,
  { workspaceId, userKeys }: { workspaceId: string; userKeys: UserKey[] },
): Promise<void> {
  const { number, now } = await takeTokenNumber(transaction);
  await transaction.run(
    sql`insert into user_token_revocations as known (workspace_id, user_key, number, revoked_at)
      select ${uuid(workspaceId)}, user_key, ${bigint(number)}, ${bigint(Math.max(now, Date.now()))}
      from unnest(${uuids(userKeys)}) as input (user_key) order by user_key
      on conflict (workspace_id, user_key) do update
      set number = greatest(known.number, excluded.number), revoked_at = excluded.revoked_at`,
  );
  await notifyChange(transaction);
}

/**
 * Deletes up to `limit` revocations that are older than any token. Returns how many. Goes by the clock of the service,
 * as the expiry of tokens does.
 */
export async function deleteOldRevocations(database: Queryable, ageMs: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from user_token_revocations where (workspace_id, user_key) in (
        select workspace_id, user_key from user_token_revocations where revoked_at < ${bigint(Date.now() - ageMs)}
        order by revoked_at limit ${integer(limit)} for update skip locked
      ) returning user_key`,
  );
  return deleted.length;
}
