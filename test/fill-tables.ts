import type { Queryable } from "../src/database/statement.ts";
import { runSql } from "./run-sql.ts";

/** A table of some version, with the columns that have no value of their own. */
export interface FillableTable {
  name: string;
  columns: { name: string; type: string }[];
}

/** Texts that COPY, JSON and arrays have to escape. */
const DIFFICULT = "tab\t line\n return\r \\N \\. \\ ' \" {,} é 雪 👍";

/** Values by the type of a column. All UUIDs of a row are the same, so that rows reference rows. */
const VALUES: Record<string, (row: number, column: string) => unknown> = {
  uuid: toUuid,
  "uuid[]": (row) => [toUuid(row)],
  text: (row, column) => `${column} ${row} ${DIFFICULT}`,
  "text[]": (row) => [DIFFICULT, `${row}`, ""],
  json: (row) =>
    JSON.stringify({
      ...{ id: `${row}`, text: `${DIFFICULT} \0 \ud800`, email: `User${row}@example.com` },
      ...{ createdAt: row, lastUpdated: row },
    }),
  jsonb: (row, column) => JSON.stringify([`${column} ${row} ${DIFFICULT}`]),
  bigint: (row) => row,
  integer: (row) => row,
  // A restore clears the IDs of transactions.
  xid8: () => null,
  boolean: (row) => row % 2 === 0,
  bytea: (row) => Buffer.concat([Buffer.from([0, 0x5c, 0xff]), Buffer.from(String(row))]),
  "timestamp with time zone": (row) => new Date(row * 1000),
  "timestamp with time zone[]": (row) => [new Date(row * 1000), new Date(0)],
};

/** Inserts rows with these numbers into every table of the database, whatever its version. */
export async function fillTables(database: Queryable, rows: readonly number[]): Promise<void> {
  const tables = await selectFillableTables(database);
  for (const row of rows) await insertRows(database, tables, row);
}

/** Inserts a row with this number into each of the tables. */
export async function insertRows(database: Queryable, tables: readonly FillableTable[], row: number): Promise<void> {
  for (const { name, columns } of tables) {
    const values = columns.map((column) => valueIn(column, row));
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const places = values.map((_, index) => `$${index + 1}`).join(", ");
    await runSql(database, `insert into "${name}" (${names}) values (${places})`, values);
  }
}

/** Returns the tables that lack the row with this number, or have it with other values than those inserted. */
export async function findMissingRows(
  database: Queryable,
  tables: readonly FillableTable[],
  row: number,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, columns } of tables) {
    // Migrations rewrite the records and their sizes; json has no equality.
    const compared = columns.filter((column) => column.type !== "json" && column.name !== "record_bytes");
    const conditions = compared
      .map((column, index) => `"${column.name}" is not distinct from $${index + 1}`)
      .join(" and ");
    const values = compared.map((column) => valueIn(column, row));
    const found = await runSql(database, `select from "${name}" where ${conditions}`, values);
    if (found.length !== 1) missing.push(name);
  }
  return missing;
}

function toUuid(row: number): string {
  return `00000000-0000-4000-8000-${String(row).padStart(12, "0")}`;
}

function valueIn({ name, type }: FillableTable["columns"][number], row: number): unknown {
  const createValue = VALUES[type];
  if (!createValue) throw new Error(`fill-tables.ts has no value of the type ${type}, of the column ${name}`);
  return createValue(row, name);
}

/** Returns all tables, referenced ones first. Identities and generated columns have a value of their own. */
export async function selectFillableTables(database: Queryable): Promise<FillableTable[]> {
  const tables = await runSql<FillableTable & { references: string[] }>(
    database,
    `select relname::text as name,
       array(select confrelid::regclass::text from pg_constraint where conrelid = pg_class.oid and contype = 'f')
         as references,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped
          and attgenerated = '' and attidentity = '') as columns
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'
     order by relname`,
  );
  const ordered = new Map<string, FillableTable>();
  while (ordered.size < tables.length) {
    const next = tables.filter((table) => !ordered.has(table.name) && table.references.every((it) => ordered.has(it)));
    if (next.length === 0) throw new Error("the tables reference each other in a cycle");
    for (const table of next) ordered.set(table.name, table);
  }
  return [...ordered.values()];
}
