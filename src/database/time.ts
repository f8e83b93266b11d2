import { bigint, type Sql, sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

/** Returns a timestamp or interval in milliseconds; null if it is null. A timestamp counts from the epoch. */
export function milliseconds(time: Sql): Sql {
  return sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
}

/** The time at which the statement began, by the database's clock, in milliseconds since the epoch. */
export const NOW_MS = milliseconds(sql`statement_timestamp()`);

/** A time that is later than now by more was written while a clock was ahead. Clocks of servers differ by less. */
export const AHEAD_MS = 60_000;

/** Returns the condition that a time was written while the clock was ahead. */
export function isAhead(time: Sql): Sql {
  return sql`${time} > ${NOW_MS} + ${bigint(AHEAD_MS)}`;
}

/** Returns the condition that a time is until another, or was written while the clock was ahead. */
export function isUntil(time: Sql, end: Sql): Sql {
  return sql`(${time} <= ${end} or ${isAhead(time)})`;
}

/** Waits until a later millisecond than `time`, by the database's clock. */
export async function waitPast(transaction: Queryable, time: number): Promise<void> {
  await transaction.run(
    sql`select pg_sleep(
      greatest(0, (${bigint(time)} + 1) / 1000.0::float8 - extract(epoch from clock_timestamp())::float8))`,
  );
}
