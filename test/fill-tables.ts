import type { Queryable } from "../src/database/statement.ts";
import { runSql } from "./run-sql.ts";

interface Column {
  name: string;
  type: string;
}

interface Table {
  name: string;
  columns: Column[];
  references: string[];
}

/** Texts that COPY, JSON and arrays have to escape. */
const DIFFICULT = "tab\t line\n return\r \\N \\. \\ ' \" {,} é 雪 👍";

/** Values by the type of a column. All UUIDs of a row are the same, so that rows reference rows. */
const VALUES: Record<string, (row: number, column: string) => unknown> = {
  uuid: (row) => `00000000-0000-4000-8000-${String(row).padStart(12, "0")}`,
  text: (row, column) => `${column} ${row} ${DIFFICULT}`,
  "text[]": (row) => [DIFFICULT, `${row}`, ""],
  json: (row) =>
    JSON.stringify({
      ...{ id: `${row}`, text: `${DIFFICULT} \0 \ud800`, email: `User${row}@example.com` },
      ...{ createdAt: row, lastUpdated: row },
    }),
  bigint: (row) => row,
  integer: (row) => row,
  boolean: (row) => row % 2 === 0,
  bytea: (row) => Buffer.from([0, row, 0x5c, 0xff]),
  "timestamp with time zone": (row) => new Date(row * 1000),
  "timestamp with time zone[]": (row) => [new Date(row * 1000), new Date(0)],
};

/** Inserts rows with these numbers into every table of the database, whatever its version. Returns their names. */
export async function fillTables(database: Queryable, rows: readonly number[]): Promise<string[]> {
  const filled = new Set<string>();
  const tables = await selectTables(database);
  while (filled.size < tables.length) {
    const next = tables.filter(
      ({ name, references }) => !filled.has(name) && references.every((other) => filled.has(other)),
    );
    if (next.length === 0) throw new Error("the tables reference each other in a cycle");
    for (const table of next) {
      for (const row of rows) await insertRow(database, table, row);
      filled.add(table.name);
    }
  }
  return [...filled].sort();
}

async function insertRow(database: Queryable, { name, columns }: Table, row: number): Promise<void> {
  const values = columns.map((column) => {
    const createValue = VALUES[column.type];
    if (!createValue)
      throw new Error(`fill-tables.ts has no value of the type ${column.type}, of ${name}.${column.name}`);
    return createValue(row, column.name);
  });
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const places = values.map((_, index) => `$${index + 1}`).join(", ");
  await runSql(database, `insert into "${name}" (${names}) values (${places})`, values);
}

/** Returns the tables with the columns that have no value of their own: identities and generated columns have one. */
function selectTables(database: Queryable): Promise<Table[]> {
  return runSql<Table>(
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
}
