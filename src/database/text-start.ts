import { join, type Sql, sql, text } from "./sql.ts";

/** An indexed text that a search compares with the start that it looks for. */
export interface Field {
  value: Sql;
  /** Whether the value is in lower case. */
  isLowerCase: boolean;
  /** Whether the value is a name from one of its later words on, which ranks below a match of the start of a text. */
  isLaterWord?: boolean;
}

/** Returns the fields of the later words of a name, of which the second to the fourth have an index. */
export function getLaterWords(name: Sql): Field[] {
  const values = [sql`text_from_word(${name}, 2)`, sql`text_from_word(${name}, 3)`, sql`text_from_word(${name}, 4)`];
  return values.map((value) => ({ value, isLowerCase: true, isLaterWord: true }));
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
  const start = text(isLowerCase ? getLowerCase(search) : search);
  return sql`${value} >= ${start} and ${value} < ${start} || chr(1114111)`;
}

/** Returns 0 for an exact match, 1 for the start of a text, and 2 for that of a later word. */
export function buildRank({ value, isLowerCase, isLaterWord = false }: Field, search: string): Sql {
  if (isLaterWord) return sql`2`;
  return sql`(${value} <> ${text(isLowerCase ? getLowerCase(search) : search)})::int`;
}

/** Returns the text with A to Z in lower case, as PostgreSQL does it with the collation "C". */
function getLowerCase(given: string): string {
  return given.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
