import type { KeyedRequest } from "../../contract/keyed-request.ts";
import { bigint, bytea, integer, sql, uuid } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";

/** Time for which an answer is kept, in milliseconds (live.md, section 6). */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * Time after which a request without an answer is taken for lost, in milliseconds: its process was killed. It is longer
 * than any statement may run.
 */
const LEASE_MS = 60_000;

/** An attempt to carry out the request of a key. */
export interface Attempt extends KeyedRequest {
  holder: string;
}

/**
 * Takes the key for an attempt, and returns whether it did: nobody has used the key within the retention, or the
 * attempt at the same request that had it was lost.
 */
export async function claimKey(
  database: Queryable,
  { workspaceId, keyHash, requestHash, holder }: Attempt,
): Promise<boolean> {
  const claimed = await database.run(
    sql`insert into idempotency_keys as known
        (workspace_id, key_hash, request_hash, holder, lease_ends_at, created_at)
      values (${uuid(workspaceId)}, ${bytea(keyHash)}, ${bytea(requestHash)}, ${uuid(holder)},
        ${NOW_MS} + ${bigint(LEASE_MS)}, ${NOW_MS})
      on conflict (workspace_id, key_hash) do update
      set request_hash = excluded.request_hash, holder = excluded.holder, lease_ends_at = excluded.lease_ends_at,
        created_at = excluded.created_at, answer = null
      where known.created_at < excluded.created_at - ${bigint(RETENTION_MS)}
        or (known.answer is null and known.lease_ends_at < excluded.created_at
          and known.request_hash = excluded.request_hash)
      returning holder`,
  );
  return claimed.length > 0;
}

/** Returns what is known of a key: its request, and the encrypted answer unless the request is in progress. */
export async function selectKey(
  database: Queryable,
  { workspaceId, keyHash }: KeyedRequest,
): Promise<{ requestHash: Buffer; answer: Buffer | null } | undefined> {
  const [row] = await database.run(
    sql<{ requestHash: Buffer; answer: Buffer | null }>`select request_hash as "requestHash", answer
      from idempotency_keys where workspace_id = ${uuid(workspaceId)} and key_hash = ${bytea(keyHash)}`,
  );
  return row;
}

/** Keeps the answer of an attempt, unless another attempt has the key by now. */
export async function keepAnswer(
  database: Queryable,
  { workspaceId, keyHash, holder }: Attempt,
  answer: Buffer,
): Promise<void> {
  await database.run(
    sql`update idempotency_keys set answer = ${bytea(answer)}
      where workspace_id = ${uuid(workspaceId)} and key_hash = ${bytea(keyHash)} and holder = ${uuid(holder)}`,
  );
}

/** Gives back the key of an attempt that has failed, unless another attempt has it by now. */
export async function releaseKey(database: Queryable, { workspaceId, keyHash, holder }: Attempt): Promise<void> {
  await database.run(
    sql`delete from idempotency_keys
      where workspace_id = ${uuid(workspaceId)} and key_hash = ${bytea(keyHash)} and holder = ${uuid(holder)}`,
  );
}

/** Deletes up to `limit` keys that are older than the retention. Returns how many. */
export async function deleteExpiredKeys(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from idempotency_keys where (workspace_id, key_hash) in (
        select workspace_id, key_hash from idempotency_keys where created_at < ${NOW_MS} - ${bigint(RETENTION_MS)}
        order by created_at limit ${integer(limit)} for update skip locked
      ) returning holder`,
  );
  return deleted.length;
}
