import { bigint, EMPTY, identifier, identifiers, integer, join, largeRows, type Sql, sql, text, texts } from "./sql.ts";
import type { Queryable } from "./statement.ts";

export interface AnyOf {
  column: string;
  values: readonly string[];
}

interface AllOf {
  /** Further conditions of the source, each with an index on its column and the keys. */
  feeds: readonly Sql[];
  /** Further conditions that have no such index. It begins with `and` unless it is empty. */
  condition: Sql;
}

/** The beginning of a page in a total order of rows. */
export interface PageStart {
  /** Columns that put the rows in a total order. */
  keys: readonly string[];
  /** Type of all keys. */
  keyType: "bigint" | "text";
  order: "asc" | "desc";
  /** Keys of the record that the page comes after. */
  after: (string | number)[] | undefined;
}

/** The rows of a page. */
export interface PageSource {
  /** `from … where …`, over rows that have the keys, `record` (json) and `record_bytes` (integer). */
  source: Sql;
  /** Another source, which has none of its rows. A page of each is read, and they are merged: indexes serve both. */
  otherSource?: Sql | undefined;
  /**
   * Further condition: the column has any of these values. A page of each value is read, and they are merged, so that
   * an index on the column and the keys serves it at any size, however rare the values are.
   */
  anyOf?: AnyOf | undefined;
  /**
   * Further conditions: the row is in all of these feeds. PostgreSQL merges the entries of their indexes in order and
   * reads only the rows that are in all, so it finds the few matches of large feeds in the indexes alone.
   */
  allOf?: AllOf | undefined;
}

interface PageOptions extends PageSource, PageStart {
  pageSize: number;
  /** An expression that is read in the same statement. */
  extra: Sql;
  /**
   * The JSON text of one serialized record, over `record`, its place on the page (`number`, from 1) and these further
   * columns; `record::text` by default.
   */
  serialized?: { expression: Sql; columns: readonly string[] };
}

export interface PageOfRecords<Extra, Key> {
  /** The text of a JSON array. */
  records: string;
  /** Keys of the last record, if there is more. */
  next: Key[] | undefined;
  /** Number of records. */
  length: number;
  extra: Extra | null;
}

const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Size up to which a page is read at once. A larger one is read again, in a turn for large results. */
const MAX_SMALL_PAGE_BYTES = 1024 * 1024;
const MAX_INTEGER = 2 ** 31 - 1;

interface PageRow<Extra, Key> {
  extra: Extra | null;
  records: string;
  last: Key[] | null;
  length: number;
  has_more: boolean | null;
  /** Whether `records` lacks those past the given size. */
  is_cut: boolean | null;
}

/** Returns the condition, which begins with `and`, that a row is not before the page; nothing for the first page. */
export function isAfter({ keys, keyType, order, after }: PageStart): Sql {
  if (!after) return EMPTY;
  const bound = (key: string | number) => (keyType === "text" ? text(String(key)) : bigint(Number(key)));
  return sql`and (${identifiers(keys)}) ${order === "asc" ? sql`>` : sql`<`} (${join(after.map(bound), ", ")})`;
}

/** Returns the order of a page's rows. */
export function inOrder({ keys, order }: Pick<PageStart, "keys" | "order">): Sql {
  return sql`order by ${join(
    keys.map((key) => sql`${identifier(key)} ${identifier(order)}`),
    ", ",
  )}`;
}

/**
 * Reads one keyset page, which PostgreSQL assembles into the text of a JSON array. The page ends after `pageSize`
 * records or with the record that passes 8 MiB. With an index on the keys it costs the same at any depth.
 */
export async function selectPageOfRecords<Extra, Key extends string | number>(
  database: Queryable,
  options: PageOptions,
): Promise<PageOfRecords<Extra, Key>> {
  const { keys, pageSize, extra, serialized } = options;
  const serializedText = serialized?.expression ?? sql`record::text`;
  const lastKeys = keys.map((key) => sql`max(${identifier(key)}) filter (where is_in_page and is_last)`);
  // The rows arrive in order: neither the window nor the aggregates compare them again, and only the last row's keys
  // are read. (Measured with 50 records: 0.8 of PostgreSQL's processor time.)
  const page = (maxBytes: number) => sql<PageRow<Extra, Key>>`select ${extra} as extra,
      coalesce(string_agg(${serializedText}, ',') filter (where is_in_page and bytes <= ${integer(maxBytes)}), '')
        as records,
      array[${join(lastKeys, ", ")}] as last,
      count(*) filter (where is_in_page)::int as length, bool_or(not is_in_page) as has_more,
      bool_or(is_in_page and bytes > ${integer(maxBytes)}) as is_cut
    from (
      select *, number <= ${integer(pageSize)} and bytes - record_bytes < ${integer(MAX_PAGE_BYTES)} as is_in_page,
        number = ${integer(pageSize)} or bytes >= ${integer(MAX_PAGE_BYTES)} as is_last
      from (
        select *, row_number() over place as number, sum(record_bytes) over place as bytes
        from (${firstRows(options)}) as candidate
        window place as (rows unbounded preceding)
      ) as numbered
    ) as page`;
  let [row] = await database.run(page(MAX_SMALL_PAGE_BYTES));
  if (row?.is_cut) [row] = await database.run(largeRows(page(MAX_INTEGER)));
  return {
    extra: row?.extra ?? null,
    // Brackets in the statement would copy the page twice.
    records: `[${row?.records ?? ""}]`,
    next: row?.has_more && row.last ? row.last : undefined,
    length: row?.length ?? 0,
  };
}

/** Returns the select of the rows of a page, and one more. */
function firstRows({ source, otherSource, anyOf, allOf, pageSize, serialized, ...start }: PageOptions): Sql {
  const keys = identifiers(start.keys);
  const columns = sql`${identifiers([...start.keys, ...(serialized?.columns ?? []), "record"])}, record_bytes`;
  const first = sql`${inOrder(start)} limit ${integer(pageSize + 1)}`;
  const rowsOf = (from: Sql, condition: Sql) => sql`select ${columns} ${from} ${condition} ${isAfter(start)} ${first}`;
  const matching = (condition: Sql) => rowsOf(source, condition);
  if (otherSource) {
    return sql`select ${columns} from (
        (${matching(EMPTY)}) union all (${rowsOf(otherSource, EMPTY)})
      ) as each ${first}`;
  }
  if (anyOf) {
    const valueRows = matching(sql`and ${identifier(anyOf.column)} = any_of.value`);
    return sql`select ${columns} from unnest(${texts([...new Set(anyOf.values)])}) as any_of (value)
      cross join lateral (${valueRows}) as each ${first}`;
  }
  if (allOf) {
    const entries = allOf.feeds.map((feed) => sql`select ${keys} ${source} and ${feed} ${isAfter(start)}`);
    const [feed = EMPTY, ...others] = [...entries, sql`select ${columns} ${source} ${allOf.condition}`].map(
      (select, index) => sql`(${select}) as ${identifier(`feed_${index}`)}`,
    );
    const joins = others.map((other) => sql`join ${other} using (${keys})`);
    return sql`select ${columns} from ${feed} ${join(joins, " ")} ${first}`;
  }
  return matching(EMPTY);
}
