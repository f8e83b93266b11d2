/** When the statement began, by the database's clock: milliseconds since the epoch, an expression. */
export const NOW_MS = "floor(extract(epoch from statement_timestamp()) * 1000)::bigint";
