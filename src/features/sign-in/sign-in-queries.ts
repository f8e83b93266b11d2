import { bigint, bytea, integer, sql, text } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { AHEAD_MS, milliseconds } from "../../database/time.ts";

interface Link {
  /** Compared address of the owner; null for the operator. */
  ownerAddress: string | null;
  continueUrl: string | null;
}

/**
 * Returns the owner's address as their oldest workspace has it, with the IDs of all their workspaces, or undefined if
 * nobody owns one by this address.
 */
export async function findOwner(
  database: Queryable,
  comparedAddress: string,
): Promise<{ address: string; workspaceIds: string[] } | undefined> {
  const owned = await database.run(
    sql<{ address: string; id: string }>`select owner_email as address, id from workspaces
      where lower(owner_email collate "C") = ${text(comparedAddress)} order by created_at, id`,
  );
  return owned[0] && { address: owned[0].address, workspaceIds: owned.map(({ id }) => id) };
}

/** Inserts a link; `expiresAt` is in milliseconds since the epoch. */
export async function insertLink(
  database: Queryable,
  link: Link & { tokenHash: Buffer; expiresAt: number },
): Promise<void> {
  await database.run(
    sql`insert into login_links (token_hash, owner_address, continue_url, expires_at)
      values (${bytea(link.tokenHash)}, ${text(link.ownerAddress)}, ${text(link.continueUrl)},
        to_timestamp(${bigint(link.expiresAt)} / 1000.0))`,
  );
}

/** Consumes a link: only one of several concurrent calls gets it. Returns undefined if it is used or expired. */
export async function takeLink(transaction: Queryable, tokenHash: Buffer): Promise<Link | undefined> {
  const [row] = await transaction.run(
    sql<Link>`delete from login_links where token_hash = ${bytea(tokenHash)} and expires_at > statement_timestamp()
      returning owner_address as "ownerAddress", continue_url as "continueUrl"`,
  );
  return row;
}

export async function deleteLink(database: Queryable, tokenHash: Buffer): Promise<void> {
  await database.run(sql`delete from login_links where token_hash = ${bytea(tokenHash)}`);
}

/** Deletes up to `limit` expired links. Returns how many. */
export async function deleteExpiredLinks(database: Queryable, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from login_links where token_hash in (
        select token_hash from login_links where expires_at <= statement_timestamp()
        order by expires_at limit ${integer(limit)} for update skip locked
      ) returning token_hash`,
  );
  return deleted.length;
}

/**
 * Counts one more attempt. Returns the number of attempts within the window and the milliseconds until one more is
 * within `limit`. Attempts of one subject run one after the other, until the end of the transaction. Uses the clock
 * rather than the statement's time, because a statement that waits for the lock begins long before it counts.
 */
export async function countAttempt(
  transaction: Queryable,
  { subjectHash, windowMs, limit }: { subjectHash: Buffer; windowMs: number; limit: number },
): Promise<{ count: number; retryInMs: number }> {
  const age = sql`(times[greatest(cardinality(times) - ${integer(limit)}, 1)] - clock_timestamp())`;
  const [row] = await transaction.run(
    sql<{ count: number; retryInMs: number }>`insert into login_attempts as known (subject_hash, times, last_at)
      values (${bytea(subjectHash)}, array[clock_timestamp()], clock_timestamp())
      on conflict (subject_hash) do update set last_at = clock_timestamp(), times = array(
        select time from unnest(known.times) as time
        where time > clock_timestamp() - make_interval(secs => ${bigint(windowMs)} / 1000.0)
          and time < clock_timestamp() + make_interval(secs => ${bigint(AHEAD_MS)} / 1000.0) order by time
      ) || clock_timestamp()
      returning cardinality(times) as count, ${milliseconds(age)} + ${bigint(windowMs)} as "retryInMs"`,
  );
  return row ?? { count: 0, retryInMs: 0 };
}

/** Deletes up to `limit` subjects whose attempts are all outside of the window. Returns how many. */
export async function deleteOldAttempts(database: Queryable, windowMs: number, limit: number): Promise<number> {
  const deleted = await database.run(
    sql`delete from login_attempts where subject_hash in (
        select subject_hash from login_attempts
        where last_at < clock_timestamp() - make_interval(secs => ${bigint(windowMs)} / 1000.0)
        order by last_at limit ${integer(limit)} for update skip locked
      ) returning subject_hash`,
  );
  return deleted.length;
}
