import { unavailable } from "../../contract/errors.ts";
import type { KeyedRequest } from "../../contract/keyed-request.ts";
import { isLockTimeout } from "../../database/database-errors.ts";
import { bytea, integer, type Sql, sql, text, uuid } from "../../database/sql.ts";
import type { Queryable, Transaction } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";

/**
 * Time for which a response is stored, in milliseconds. It is not a parameter, because Citus loses the parameters of an
 * ON CONFLICT clause if the source of the insert is a subselect.
 */
const RETENTION_MS = sql`(24 * 60 * 60 * 1000)`;

/** The hash of the request that has a key, and its encrypted response. */
export interface StoredResponse {
  requestHash: Buffer;
  response: Buffer;
}

/**
 * Takes the key in the transaction of its operation, or returns the response that it has. Waits for another transaction
 * that has taken it, and throws UNAVAILABLE after `maxWaitMs`. A key that was last used before the retention is free.
 */
export async function claimKey(
  transaction: Transaction,
  request: KeyedRequest,
  maxWaitMs: number,
): Promise<StoredResponse | undefined> {
  const { workspaceId, keyHash, requestHash } = request;
  // The timeout of locks is set and reset within the statement, which saves two round trips.
  const claim = sql`insert into idempotency_keys as stored (workspace_id, key_hash, request_hash, created_at)
    select ${uuid(workspaceId)}, ${bytea(keyHash)}, ${bytea(requestHash)}, now_ms
    from (select ${NOW_MS} as now_ms, set_config('lock_timeout', ${text(String(maxWaitMs))}, true)) as clock
    on conflict (workspace_id, key_hash) do update
    set request_hash = excluded.request_hash, created_at = excluded.created_at, response = null
    where stored.created_at < excluded.created_at - ${RETENTION_MS}
    returning set_config('lock_timeout', '0', true)`;
  const claimed = await transaction.run(claim).catch((error: unknown) => {
    if (isLockTimeout(error)) throw inProgress();
    throw error;
  });
  if (claimed.length > 0) return undefined;
  const stored = await selectResponse(transaction, request);
  // It has expired since.
  if (!stored) throw inProgress();
  return stored;
}

function inProgress() {
  return unavailable("idempotency_key_in_progress", "The first request with this Idempotency-Key is in progress.");
}

/** Returns the response of the request that has the key, without waiting for one in progress. */
export async function selectResponse(database: Queryable, request: KeyedRequest): Promise<StoredResponse | undefined> {
  const [row] = await database.run(
    sql<StoredResponse>`select request_hash as "requestHash", response from idempotency_keys
      where ${matchesKey(request)} and created_at >= ${NOW_MS} - ${RETENTION_MS}`,
  );
  return row;
}

/** Stores the encrypted response in the transaction that has claimed the key. */
export async function storeResponse(transaction: Queryable, request: KeyedRequest, response: Buffer): Promise<void> {
  await transaction.run(sql`update idempotency_keys set response = ${bytea(response)} where ${matchesKey(request)}`);
}

/** Frees the key in the transaction that has claimed it. */
export async function releaseKey(transaction: Queryable, request: KeyedRequest): Promise<void> {
  await transaction.run(sql`delete from idempotency_keys where ${matchesKey(request)}`);
}

function matchesKey({ workspaceId, keyHash }: KeyedRequest): Sql {
  return sql`workspace_id = ${uuid(workspaceId)} and key_hash = ${bytea(keyHash)}`;
}

/** Deletes up to `limit` keys that are older than the retention. Returns how many. */
export async function deleteExpiredKeys(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from idempotency_keys where (workspace_id, key_hash) in (
        select workspace_id, key_hash from idempotency_keys where created_at < ${NOW_MS} - ${RETENTION_MS}
        order by created_at limit ${integer(limit)} for update skip locked
      ) returning 1 as one`,
  );
  return deleted.length;
}
