import { type Sql, sql } from "./sql.ts";

/** Returns a timestamp or interval in milliseconds; null if it is null. A timestamp counts from the epoch. */
export function milliseconds(time: Sql): Sql {
  return sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
}

/** The time at which the statement began, by the database's clock, in milliseconds since the epoch. */
export const NOW_MS = milliseconds(sql`statement_timestamp()`);
