import { bigint, EMPTY, identifier, integer, type Sql, sql, text } from "./sql.ts";
import type { Queryable } from "./statement.ts";

/** Rows in an order that callers choose. */
interface OrderedRows {
  /** `from … where …` */
  source: Sql;
  /** Expression of the text that identifies a row. It orders rows that are equal otherwise. */
  id: Sql;
  /** Expression of the text or number by which the rows are ordered. */
  value: Sql;
  isText: boolean;
}

interface PageRequest {
  order: "asc" | "desc";
  pageSize: number;
  /** Value and ID of the row that the page comes after. */
  after: string[] | undefined;
}

interface OrderedPage {
  ids: string[];
  /** Number of all rows. */
  totalCount: number;
  /** Value and ID of the last row, if there is more. */
  next: string[] | undefined;
}

/** Reads the IDs of one page of rows, for which it reads the value of every row, and counts all rows. */
export async function selectOrderedPage(
  database: Queryable,
  { source, id, value, isText }: OrderedRows,
  { order, pageSize, after: [afterValue, afterId] = [] }: PageRequest,
): Promise<OrderedPage> {
  const direction = identifier(order);
  const isAfter =
    afterValue === undefined || afterId === undefined
      ? EMPTY
      : sql`where (value, id) ${order === "asc" ? sql`>` : sql`<`}
          (${isText ? text(afterValue) : bigint(Number(afterValue))}, ${text(afterId)})`;
  const [places, [counted]] = await Promise.all([
    database.run(
      sql<{ id: string; value: string | number }>`
        select id, value from (select ${id} as id, ${value} as value ${source}) as place ${isAfter}
        order by value ${direction}, id ${direction} limit ${integer(pageSize + 1)}`,
    ),
    database.run(sql<{ count: number }>`select count(*) as count ${source}`),
  ]);
  const shown = places.slice(0, pageSize);
  const last = places.length > pageSize ? shown.at(-1) : undefined;
  return {
    ids: shown.map((place) => place.id),
    totalCount: counted?.count ?? 0,
    next: last && [String(last.value), last.id],
  };
}
