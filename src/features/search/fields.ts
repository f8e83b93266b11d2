import { join, type Sql, sql, text } from "../../database/sql.ts";

/** What a search compares with its text. */
export interface Field {
  value: Sql;
  /** Whether the value is in lower case. */
  isLowerCase: boolean;
}

export const ORGANIZATION_FIELDS: readonly Field[] = [
  { value: sql`organization_id`, isLowerCase: false },
  { value: sql`name`, isLowerCase: true },
];
export const USER_FIELDS: readonly Field[] = [
  { value: sql`user_id`, isLowerCase: false },
  { value: sql`email`, isLowerCase: true },
  { value: sql`search_text(record, 'name')`, isLowerCase: true },
];
export const DOCUMENT_FIELDS: readonly Field[] = [
  { value: sql`document_id`, isLowerCase: false },
  { value: sql`search_text(record, 'documentName')`, isLowerCase: true },
];

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
