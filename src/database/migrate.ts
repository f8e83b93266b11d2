import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { distribute, ONE_CONNECTION_PER_NODE } from "./distribution.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Key of the advisory lock: an arbitrary number that nothing else in the database uses. */
const ADVISORY_LOCK = 4_026_531_840;

export interface Migrated {
  /** Names of the applied migrations. */
  applied: string[];
  /** Names of the tables that have been distributed over a Citus cluster. */
  distributed: string[];
}

/**
 * Applies the missing migrations in the order of their numbers, each in its own transaction, and distributes the tables
 * if the database is a Citus cluster. Servers that start at the same time wait for the first one.
 */
export async function migrate(connection: pg.ClientConfig, folder = FOLDER): Promise<Migrated> {
  const client = new pg.Client({ ...connection, statement_timeout: 0, query_timeout: 0 });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [ADVISORY_LOCK]);
    await client.query(
      `create table if not exists migrations (
         name text primary key,
         applied_at timestamptz not null default now()
       )`,
    );
    const { rows } = await client.query<{ name: string }>("select name from migrations");
    const applied = await missingOf(rows, folder);
    for (const name of applied) {
      const statements = splitStatements(await readFile(new URL(name, folder), "utf8"));
      await client.query("begin");
      await client.query(ONE_CONNECTION_PER_NODE);
      for (const statement of statements) await client.query(statement);
      await client.query("insert into migrations (name) values ($1)", [name]);
      await client.query("commit");
    }
    const distributed = await distribute(async (text, values) => (await client.query(text, values)).rows);
    return { applied, distributed };
  } finally {
    await client.end();
  }
}

/** Splits after each `;` that ends a line outside of `$$` quotes. Citus refuses to change a table in one of several. */
function splitStatements(migration: string): string[] {
  return migration.match(/(?:\$\$.*?\$\$|[^;]|;(?!\n))+;?/gs) ?? [];
}

/** Returns whether the applied migrations created the schema, which takes the first one. */
export function isFirstStart({ applied }: Migrated): boolean {
  return applied[0]?.startsWith("0001_") ?? false;
}

/** Returns the names of the migrations that the database lacks; a newer database lacks none. */
export async function missingMigrations(database: Queryable): Promise<string[]> {
  return missingOf(await database.run(sql<{ name: string }>`select name from migrations`));
}

async function missingOf(applied: { name: string }[], folder = FOLDER): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const known = new Set(applied.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
