import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Key of the advisory lock: an arbitrary number that nothing else in the database uses. */
const ADVISORY_LOCK = 4_026_531_840;

/**
 * Applies the missing migrations in the order of their numbers, each in its own transaction. Servers that start at the
 * same time wait for the first one. Returns the names of the applied migrations.
 */
export async function migrate(connection: pg.ClientConfig): Promise<string[]> {
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
    const missing = await missingOf(rows);
    for (const name of missing) {
      const statements = await readFile(new URL(name, FOLDER), "utf8");
      await client.query("begin");
      await client.query(statements);
      await client.query("insert into migrations (name) values ($1)", [name]);
      await client.query("commit");
    }
    return missing;
  } finally {
    await client.end();
  }
}

/** Returns whether the applied migrations created the schema, which takes the first one. */
export function isFirstStart(applied: string[]): boolean {
  return applied[0]?.startsWith("0001_") ?? false;
}

/** Returns the names of the migrations that the database lacks; a newer database lacks none. */
export async function missingMigrations(database: Queryable): Promise<string[]> {
  return missingOf(await database.run(sql<{ name: string }>`select name from migrations`));
}

async function missingOf(applied: { name: string }[]): Promise<string[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const known = new Set(applied.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}
