import { join, type Sql, sql, text } from "./sql.ts";

/** Returns the condition that one of the texts, which are in lower case, contains what is searched for. */
export function buildSearch(texts: readonly Sql[], search: string): Sql {
  return sql`(${join(
    texts.map((value) => sql`strpos(${value}, ${toLowerCase(search)}) > 0`),
    " or ",
  )})`;
}

/** Returns 0 for an exact match of one of the texts, and otherwise the first position in them. */
export function buildRank(texts: readonly Sql[], search: string): Sql {
  const ranks = texts.map(
    (value) => sql`case when ${value} = ${toLowerCase(search)} then 0
      else nullif(strpos(${value}, ${toLowerCase(search)}), 0) end`,
  );
  return sql`least(${join(ranks, ", ")})`;
}

/** Returns the text with A to Z in lower case, as PostgreSQL does it with the collation "C". */
function toLowerCase(given: string): Sql {
  return sql`${text(given.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()))}`;
}
