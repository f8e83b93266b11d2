import type { Queryable } from "../../database/database.ts";
import { milliseconds } from "../workspaces/queries.ts";

interface Link {
  /** In the form that is compared; null: the operator's. */
  ownerAddress: string | null;
  continueUrl: string | null;
}

/** The address of the owner as the oldest of the workspaces has it; undefined where nobody owns one by this address. */
export async function findOwner(database: Queryable, comparedAddress: string): Promise<string | undefined> {
  const { rows } = await database.query<{ address: string }>(
    `select owner_email as address from workspaces where lower(owner_email collate "C") = $1
     order by created_at, id limit 1`,
    [comparedAddress],
  );
  return rows[0]?.address;
}

/** `expiresAt` in milliseconds since the epoch. */
export async function insertLink(
  database: Queryable,
  link: Link & { tokenHash: Buffer; expiresAt: number },
): Promise<void> {
  await database.query(
    `insert into login_links (token_hash, owner_address, continue_url, expires_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
    [link.tokenHash, link.ownerAddress, link.continueUrl, link.expiresAt],
  );
}

/** Uses the link up: of those at the same time one gets it. Undefined where it is used, old or unknown. */
export async function takeLink(transaction: Queryable, tokenHash: Buffer): Promise<Link | undefined> {
  const { rows } = await transaction.query<Link>(
    `delete from login_links where token_hash = $1 and expires_at > statement_timestamp()
     returning owner_address as "ownerAddress", continue_url as "continueUrl"`,
    [tokenHash],
  );
  return rows[0];
}

export async function deleteLink(database: Queryable, tokenHash: Buffer): Promise<void> {
  await database.query("delete from login_links where token_hash = $1", [tokenHash]);
}

/** Removes up to `limit` that have expired; returns how many it were. */
export async function deleteExpiredLinks(database: Queryable, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    `delete from login_links where token_hash in (
       select token_hash from login_links where expires_at <= statement_timestamp() order by expires_at limit $1
       for update skip locked
     )`,
    [limit],
  );
  return rowCount ?? 0;
}

/**
 * Counts one more attempt and returns how many there were within the window, with the time, in milliseconds since the
 * epoch, at which one more will be within `limit`. Those of one subject take turns until the end of the transaction.
 */
export async function countAttempt(
  transaction: Queryable,
  { subjectHash, windowMs, limit }: { subjectHash: Buffer; windowMs: number; limit: number },
): Promise<{ count: number; retryInMs: number }> {
  // By the clock, as a statement that waits for its turn begins long before it counts.
  const { rows } = await transaction.query<{ count: number; retryInMs: number }>(
    `insert into login_attempts as known (subject_hash, times, last_at)
     values ($1, array[clock_timestamp()], clock_timestamp())
     on conflict (subject_hash) do update set last_at = clock_timestamp(), times = array(
       select time from unnest(known.times) as time
       where time > clock_timestamp() - make_interval(secs => $2::float8 / 1000) order by time
     ) || clock_timestamp()
     returning cardinality(times) as count,
       ${milliseconds("(times[greatest(cardinality(times) - $3::int, 1)] - clock_timestamp())")} + $2::bigint
         as "retryInMs"`,
    [subjectHash, windowMs, limit],
  );
  return rows[0] ?? { count: 0, retryInMs: 0 };
}

/** Removes up to `limit` of which none counts any more; returns how many it were. */
export async function deleteOldAttempts(database: Queryable, windowMs: number, limit: number): Promise<number> {
  const { rowCount } = await database.query(
    `delete from login_attempts where subject_hash in (
       select subject_hash from login_attempts
       where last_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000) order by last_at limit $2
       for update skip locked
     )`,
    [windowMs, limit],
  );
  return rowCount ?? 0;
}
