import type pg from "pg";

/** A table of the service, as PostgreSQL's catalog describes it. */
interface CatalogTable {
  name: string;
  /** Columns that have values of their own: all except generated ones. */
  columns: string[];
  /** Bytes on disk, indexes excluded; of all shards if the table is distributed. */
  bytes: number;
}

const MIGRATIONS = "migrations";

/** Size of a table whose rows are on this server, and of one whose rows Citus keeps in shards. */
const LOCAL_BYTES = "pg_table_size(pg_class.oid)";
const CITUS_BYTES = `case
    when exists (select from pg_dist_partition where logicalrelid = pg_class.oid) then citus_table_size(pg_class.oid)
    else ${LOCAL_BYTES}
  end`;

/** Selects the service's tables. Excludes those of extensions. */
const selectTablesBy = (bytes: string) => `
  select relname::text as name, (${bytes})::float8 as bytes,
    (select array_agg(attname::text order by attnum) from pg_attribute
     where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    array(select confrelid::regclass::text from pg_constraint
      where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as referenced
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> '${MIGRATIONS}'
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname::text collate "C"`;

const SEQUENCES = `
  select sequencename::text as name, coalesce(last_value, start_value)::text as "lastValue",
    last_value is not null as "isCalled"
  from pg_sequences where schemaname = 'public' order by 1`;

/** Returns the tables with data. Referenced tables come before those that reference them. */
export async function selectTables(client: pg.ClientBase): Promise<CatalogTable[]> {
  const { rowCount: hasCitus } = await client.query("select from pg_extension where extname = 'citus'");
  const bytes = hasCitus ? CITUS_BYTES : LOCAL_BYTES;
  const { rows } = await client.query<CatalogTable & { referenced: string[] }>(selectTablesBy(bytes));
  const ordered = new Map<string, CatalogTable>();
  while (ordered.size < rows.length) {
    const next = rows.filter(
      ({ name, referenced }) => !ordered.has(name) && referenced.every((other) => ordered.has(other)),
    );
    if (next.length === 0) throw new Error("The tables reference each other in a cycle.");
    for (const { referenced: _, ...table } of next) ordered.set(table.name, table);
  }
  return [...ordered.values()];
}

export async function selectSequences(
  client: pg.ClientBase,
): Promise<{ name: string; lastValue: string; isCalled: boolean }[]> {
  return (await client.query(SEQUENCES)).rows;
}

/** Returns the name of a table that has rows, if there is one. */
export async function findFilledTable(client: pg.ClientBase): Promise<string | undefined> {
  for (const { name } of await selectTables(client)) {
    const { rows } = await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}
