import { type Sql, sql } from "./sql.ts";

/** Escape sequences of U+0000 and lone surrogates, which jsonb cannot store. */
const UNSTORABLE = sql`'\\\\u(0000|d[89a-f][0-9a-f]{2})'`;

/** Returns a JSON text as jsonb, with U+FFFD and their digits for characters that jsonb cannot store. */
export function comparableJson(record: Sql): Sql {
  return sql`regexp_replace(${record}, ${UNSTORABLE}, '\\\\ufffd\\1', 'g')::jsonb`;
}
