import { join, type Sql, sql, text } from "./sql.ts";

/** An indexed text that a search compares with the start that it looks for. */
export interface Field {
  value: Sql;
  /** Whether the value is in lower case. */
  isLowerCase: boolean;
}

/** Returns the condition that one of the fields starts so. */
export function isStartingWith(fields: readonly Field[], search: string): Sql {
  return sql`(${join(
    fields.map((field) => sql`(${startsWith(field, search)})`),
    " or ",
  )})`;
}

/** Returns the condition that the field starts so, which is a range of an index. */
export function startsWith({ value, isLowerCase }: Field, search: string): Sql {
  const start = text(isLowerCase ? lowerCaseOf(search) : search);
  return sql`${value} >= ${start} and ${value} < ${start} || chr(1114111)`;
}

/** Returns 0 for an exact match, and else 1. */
export function rankOf({ value, isLowerCase }: Field, search: string): Sql {
  return sql`(${value} <> ${text(isLowerCase ? lowerCaseOf(search) : search)})::int`;
}

/** Returns the text with A to Z in lower case, as PostgreSQL does it with the collation "C". */
function lowerCaseOf(given: string): string {
  return given.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
