import type { KeyedRequest } from "../../contract/keyed-request.ts";
import { bigint, bytea, byteas, integer, type Sql, sql, uuid, uuids } from "../../database/sql.ts";
import { batched, type Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";

/**
 * Time for which an answer is stored, in milliseconds. It is no parameter, because Citus loses the parameters of an ON
 * CONFLICT clause if the source of the insert is a subselect.
 */
const RETENTION_MS = sql`(24 * 60 * 60 * 1000)`;

/**
 * Time after which a request without an answer counts as lost, in milliseconds, unless its lease was renewed: its
 * process was killed. It is longer than the timeout of any statement.
 */
const LEASE_MS = 60_000;

/** Approximate bytes of an attempt in a statement: two hashes and two UUIDs. */
const ATTEMPT_BYTES = 100;

type StoredKey = Pick<KeyedRequest, "workspaceId" | "keyHash">;

/** An attempt to carry out the request of a key. */
export interface Attempt extends KeyedRequest {
  holder: string;
}

/** Takes the key for an attempt, and returns whether it did. Concurrent attempts share a statement. */
export const claimKey = batched<Attempt, boolean>({
  byteSize: () => ATTEMPT_BYTES,
  organizationKey: ({ workspaceId }) => workspaceId,
  *conflictKeys(attempt) {
    yield lockKeyOf(attempt);
  },
  /** A key is free if nobody has used it within the retention, or the attempt at the same request was lost. */
  async run(database, _workspaceId, attempts) {
    const claimed = await database.run(
      sql<StoredKey>`insert into idempotency_keys as stored
          (workspace_id, key_hash, request_hash, holder, lease_ends_at, created_at)
        select workspace_id, key_hash, request_hash, holder, now_ms + ${bigint(LEASE_MS)}, now_ms
        from unnest(${columnsOf(attempts)}, ${byteas(attempts.map(({ requestHash }) => requestHash))})
          as attempt (workspace_id, key_hash, holder, request_hash),
          (select ${NOW_MS} as now_ms) as clock
        order by workspace_id, key_hash
        on conflict (workspace_id, key_hash) do update
        set request_hash = excluded.request_hash, holder = excluded.holder, lease_ends_at = excluded.lease_ends_at,
          created_at = excluded.created_at, answer = null
        where stored.created_at < excluded.created_at - ${RETENTION_MS}
          or (stored.answer is null and stored.lease_ends_at < excluded.created_at
            and stored.request_hash = excluded.request_hash)
        returning workspace_id as "workspaceId", key_hash as "keyHash"`,
    );
    const lockKeys = new Set(claimed.map(lockKeyOf));
    return attempts.map((attempt) => lockKeys.has(lockKeyOf(attempt)));
  },
});

/** Returns the hash of the request that has the key, and its encrypted answer unless the request is in progress. */
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

/** Stores the answer of an attempt, unless another attempt holds the key now. Concurrent answers share a statement. */
export const storeAnswer = batched<Attempt & { answer: Buffer }, void>({
  byteSize: ({ answer }) => ATTEMPT_BYTES + answer.length,
  organizationKey: ({ workspaceId }) => workspaceId,
  *conflictKeys(attempt) {
    yield lockKeyOf(attempt);
  },
  async run(database, _workspaceId, attempts) {
    await database.run(
      sql`update idempotency_keys as stored set answer = attempt.answer
        from unnest(${columnsOf(attempts)}, ${byteas(attempts.map(({ answer }) => answer))})
          as attempt (workspace_id, key_hash, holder, answer)
        where stored.workspace_id = attempt.workspace_id and stored.key_hash = attempt.key_hash
          and stored.holder = attempt.holder`,
    );
    return attempts.map(() => undefined);
  },
});

/** Renews the lease of an attempt in progress, unless another attempt holds the key now. */
export async function renewLease(database: Queryable, { workspaceId, keyHash, holder }: Attempt): Promise<void> {
  await database.run(
    sql`update idempotency_keys set lease_ends_at = ${NOW_MS} + ${bigint(LEASE_MS)}
      where workspace_id = ${uuid(workspaceId)} and key_hash = ${bytea(keyHash)} and holder = ${uuid(holder)}`,
  );
}

/** Releases the key of a failed attempt, unless another attempt holds it now. */
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
        select workspace_id, key_hash from idempotency_keys where created_at < ${NOW_MS} - ${RETENTION_MS}
        order by created_at limit ${integer(limit)} for update skip locked
      ) returning holder`,
  );
  return deleted.length;
}

function columnsOf(attempts: Attempt[]): Sql {
  return sql`${uuids(attempts.map(({ workspaceId }) => workspaceId))},
    ${byteas(attempts.map(({ keyHash }) => keyHash))}, ${uuids(attempts.map(({ holder }) => holder))}`;
}

/** Returns the key that claims of the same Idempotency-Key share. */
function lockKeyOf({ workspaceId, keyHash }: StoredKey): string {
  return `${workspaceId} ${keyHash.toString("hex")}`;
}
