import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { distribute, ONE_CONNECTION_PER_NODE } from "./distribution.ts";
import { sql } from "./sql.ts";
import type { Queryable } from "./statement.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Key of the advisory lock: an arbitrary number that nothing else in the database uses. */
const ADVISORY_LOCK = 4_026_531_840;

/** Shorter than PostgreSQL's deadlock_timeout (1 s), so that a deadlock ends the migration and not a request. */
const LOCK_TIMEOUT_MS = 500;

/** Time that requests get to finish before the next attempt. */
const LOCK_PAUSE_MS = 100;

/** SQLSTATE codes of locks that were not available in time, and of deadlocks. */
const LOCK_FAILURES = new Set<string | undefined>(["55P03", "40P01"]);

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
  // The running statement reports a lost connection; an unhandled error event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lockSchema(client, "exclusive");
    return await upgrade(client, folder);
  } finally {
    await client.end();
  }
}

/**
 * Locks the schema until the connection ends. A shared lock blocks migrations; an exclusive one also blocks backups.
 */
export async function lockSchema(client: pg.Client, mode: "exclusive" | "shared"): Promise<void> {
  await client.query(`select pg_advisory_lock${mode === "shared" ? "_shared" : ""}($1)`, [ADVISORY_LOCK]);
}

/** Migrates like migrate(), by a connection that has locked the schema exclusively. */
export async function upgrade(client: pg.Client, folder = FOLDER): Promise<Migrated> {
  const applied = await missingOf(await readApplied(client), folder);
  for (const name of applied) await inTransaction(client, () => applyMigration(client, name, folder));
  const distributed = await inTransaction(client, () =>
    distribute(async (text, values) => (await client.query(text, values)).rows),
  );
  return { applied, distributed };
}

/**
 * Runs the work in a transaction. Rolls back and repeats it until it has locked its tables without a long wait or a
 * deadlock: other processes still write, and wait behind each lock that is waited for. After any other error, the
 * connection must be ended.
 */
async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  while (true) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await work();
      await client.query("commit");
      return result;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !LOCK_FAILURES.has(error.code)) throw error;
      await client.query("rollback");
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}

/** Applies those of the migrations that are missing, in the transaction of the connection. */
export async function applyMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  const applied = new Set((await readApplied(client)).map(({ name }) => name));
  for (const name of names) if (!applied.has(name)) await applyMigration(client, name, FOLDER);
}

async function readApplied(client: pg.Client): Promise<{ name: string }[]> {
  await client.query(
    `create table if not exists migrations (
       name text primary key,
       applied_at timestamptz not null default now()
     )`,
  );
  return (await client.query<{ name: string }>("select name from migrations")).rows;
}

async function applyMigration(client: pg.Client, name: string, folder: URL): Promise<void> {
  const statements = splitStatements(await readFile(new URL(name, folder), "utf8"));
  await client.query(ONE_CONNECTION_PER_NODE);
  for (const statement of statements) await client.query(statement);
  await client.query("insert into migrations (name) values ($1)", [name]);
}

/** Splits after each `;` that ends a line outside of `$$` quotes. Citus refuses DDL in a query of several. */
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

/** Returns the names of this version's migrations, in the order of their numbers. */
export async function knownMigrations(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

async function missingOf(applied: { name: string }[], folder = FOLDER): Promise<string[]> {
  const known = new Set(applied.map(({ name }) => name));
  return (await knownMigrations(folder)).filter((name) => !known.has(name));
}
