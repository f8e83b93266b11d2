import type { Workspace } from "../../contract/operation.ts";
import type { UserKey } from "../../database/keys.ts";
import { bigint, bytea, integer, sql, uuid, uuids } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { CALLER_COLUMNS, type CallerRow, notifyChange, toWorkspace } from "../workspaces/workspace-queries.ts";

/** Finds the workspace of a user token, and the time until which tokens of the user are revoked, if any. */
export async function findUserTokenCaller(
  database: Queryable,
  { apiKeyHash, userKey }: { apiKeyHash: Buffer; userKey: UserKey },
): Promise<{ workspace: Workspace | undefined; revokedAt: number | undefined }> {
  const [row] = await database.run(
    sql<CallerRow & { revokedAt: number | null }>`select ${CALLER_COLUMNS}, r.revoked_at as "revokedAt"
      from workspaces w
      left join email_configs c on c.workspace_id = w.id
      left join user_token_revocations r on r.workspace_id = w.id and r.user_key = ${uuid(userKey)}
      where w.api_key_hash = ${bytea(apiKeyHash)}`,
  );
  return { workspace: toWorkspace(row), revokedAt: row?.revokedAt ?? undefined };
}

/** Returns the time of the database, and the number of the user's last revocation, 0 if there is none. */
export async function selectIssue(
  database: Queryable,
  workspaceId: string,
  userKey: UserKey,
): Promise<{ now: number; revocation: number }> {
  const [row] = await database.run(
    sql<{ now: number; revocation: number }>`select ${NOW_MS} as now, coalesce((
        select revoked_at from user_token_revocations
        where workspace_id = ${uuid(workspaceId)} and user_key = ${uuid(userKey)}
      ), 0) as revocation`,
  );
  if (!row) throw new Error("the database returned no time");
  return row;
}

/**
 * Revokes all tokens that users have been issued up to a time. The time is also the number of the revocation, so it is
 * later than that of the one before, even if the clock was ahead then. Every process learns of it with the commit.
 */
export async function upsertRevocations(
  transaction: Queryable,
  { workspaceId, userKeys, revokedAt }: { workspaceId: string; userKeys: UserKey[]; revokedAt: number },
): Promise<void> {
  await transaction.run(
    sql`insert into user_token_revocations as known (workspace_id, user_key, revoked_at)
      select ${uuid(workspaceId)}, user_key, ${bigint(revokedAt)}
      from unnest(${uuids(userKeys)}) as input (user_key) order by user_key
      on conflict (workspace_id, user_key) do update
      set revoked_at = greatest(known.revoked_at + 1, excluded.revoked_at)`,
  );
  await notifyChange(transaction);
}

/** Deletes up to `limit` revocations that are older than any token. Returns how many. */
export async function deleteOldRevocations(database: Queryable, ageMs: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from user_token_revocations where (workspace_id, user_key) in (
        select workspace_id, user_key from user_token_revocations where revoked_at < ${NOW_MS} - ${bigint(ageMs)}
        order by revoked_at limit ${integer(limit)} for update skip locked
      ) returning user_key`,
  );
  return deleted.length;
}
