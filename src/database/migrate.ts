import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { queryableOn } from "./database.ts";
import { distribute, findUndistributed, ONE_CONNECTION_PER_NODE } from "./distribution.ts";
import {
  CREATE_MIGRATIONS,
  findMissing,
  type MigrationFile,
  readMigrations,
  selectApplied,
} from "./migration-files.ts";
import { assertRequirements } from "./requirements.ts";

/** Key of the advisory lock: an arbitrary number that nothing else in the database uses. */
const ADVISORY_LOCK = 4_026_531_840;

/** Shorter than PostgreSQL's deadlock_timeout (1 s), so that a deadlock ends the migration and not a request. */
const LOCK_TIMEOUT_MS = 500;

/** Time that requests, backups and other processes get to finish before the next attempt. */
const LOCK_PAUSE_MS = 100;

/** Time after which a wait is logged. Processes that start together wait for a shorter time, also on a busy machine. */
const LONG_WAIT_MS = 3_000;

/** SQLSTATE codes of locks that were not available in time, and of deadlocks. */
const LOCK_FAILURES = new Set<string | undefined>(["55P03", "40P01"]);

/** SQLSTATE codes of a table, function or other object that exists already. */
const NAME_CONFLICTS = new Set<string | undefined>(["42P07", "42710", "42723"]);

export interface Migrated {
  /** Names of the applied migrations. */
  applied: string[];
  /** Names of the tables and functions that have been distributed over a Citus cluster. */
  distributed: string[];
}

export interface MigrateOptions {
  /** Called if the migration waits for a backup, restore or upgrade. */
  log?: WaitLog;
  /** Folder of the migrations. */
  folder?: URL;
}

export type WaitLog = Pick<Logger, "warn">;

/** A shared lock blocks migrations and restores; an exclusive one also blocks backups and starts. */
type SchemaLock = "exclusive" | "shared";

/**
 * Applies the missing migrations in the order of their numbers, each in its own transaction, and distributes the tables
 * if the database is a Citus cluster. Servers that start at the same time wait for the first one. If nothing is
 * missing, waits for restores, whose rows arrive in a current schema, but not for backups.
 */
export async function migrate(connection: pg.ClientConfig, { log, folder }: MigrateOptions = {}): Promise<Migrated> {
  const client = new pg.Client({ ...connection, query_timeout: 0 });
  // The running statement reports a lost connection; an unhandled error event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    const files = await readMigrations(folder);
    const isMissing = await logLongWait(lockIfMissing(client, files), log);
    return isMissing ? await upgrade(client, files) : { applied: [], distributed: [] };
  } finally {
    await client.end();
  }
}

/** Returns whether something is missing. The schema is then locked exclusively. */
async function lockIfMissing(client: pg.Client, files: readonly MigrationFile[]): Promise<boolean> {
  while (true) {
    await lockShared(client);
    if (await isCurrent(client, files)) return false;
    await client.query("select pg_advisory_unlock_shared($1)", [ADVISORY_LOCK]);
    if (await tryLockSchema(client)) return true;
    await delay(LOCK_PAUSE_MS);
  }
}

/** Locks the schema until the connection ends. */
export function lockSchema(client: pg.Client, mode: SchemaLock, log?: WaitLog): Promise<void> {
  return logLongWait(mode === "shared" ? lockShared(client) : lockExclusively(client), log);
}

async function lockShared(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [ADVISORY_LOCK]);
}

/** Repeats its attempts instead of queueing, because shared locks that come later would wait for a queued one. */
async function lockExclusively(client: pg.Client): Promise<void> {
  while (!(await tryLockSchema(client))) await delay(LOCK_PAUSE_MS);
}

async function logLongWait<Result>(waiting: Promise<Result>, log: WaitLog | undefined): Promise<Result> {
  const message = "waiting for a backup, restore or upgrade of the database to end";
  const timer = setTimeout(() => log?.warn(message), LONG_WAIT_MS);
  return waiting.finally(() => clearTimeout(timer));
}

async function tryLockSchema(client: pg.Client): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1) as "isLocked"';
  const { rows } = await client.query<{ isLocked: boolean }>(text, [ADVISORY_LOCK]);
  return rows[0]?.isLocked === true;
}

/** Returns whether no migration is missing and nothing is left to distribute. Writes nothing. */
async function isCurrent(client: pg.Client, files: readonly MigrationFile[]): Promise<boolean> {
  if (findMissing(files, await selectApplied(queryableOn(client))).length > 0) return false;
  return (await findUndistributed(executeOn(client))).length === 0;
}

function executeOn(client: pg.Client) {
  return async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
}

/** Migrates like migrate(), by a connection that has locked the schema exclusively. */
export async function upgrade(client: pg.Client, files?: readonly MigrationFile[]): Promise<Migrated> {
  const missing = await findMissingFiles(client, files);
  for (const file of missing) await inTransaction(client, () => applyMigration(client, file));
  const distributed = await inTransaction(client, () => distribute(executeOn(client)));
  return { applied: missing.map(({ name }) => name), distributed };
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
      await delay(LOCK_PAUSE_MS);
    }
  }
}

/** Applies those of the named migrations that are missing, in the transaction of the connection. */
export async function applyMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const file of await findMissingFiles(client)) if (names.includes(file.name)) await applyMigration(client, file);
}

/** Returns the missing migrations. Throws an error before the first one if the database cannot be migrated. */
async function findMissingFiles(
  client: pg.Client,
  files?: readonly MigrationFile[],
): Promise<readonly MigrationFile[]> {
  const database = queryableOn(client);
  await assertRequirements(database);
  const missing = findMissing(files ?? (await readMigrations()), await selectApplied(database));
  await client.query(CREATE_MIGRATIONS);
  return missing;
}

async function applyMigration(client: pg.Client, migration: MigrationFile): Promise<void> {
  const { name, text, checksum, oldestVersion } = migration;
  await client.query(ONE_CONNECTION_PER_NODE);
  for (const statement of splitStatements(text)) await client.query(statement).catch(explainConflict);
  const values = [name, checksum, oldestVersion];
  await client.query("insert into migrations (name, checksum, oldest_version) values ($1, $2, $3)", values);
}

/** Throws the error of a statement; if another program has made what it creates, with what to do. */
function explainConflict(error: unknown): never {
  if (!(error instanceof pg.DatabaseError && NAME_CONFLICTS.has(error.code))) throw error;
  const message = `The database has objects of another program: ${error.message}. Use a database of Colloquy's own.`;
  throw new Error(message, { cause: error });
}

/** Splits after each `;` that ends a line outside of `$$` quotes. Citus rejects DDL in a query of several. */
function splitStatements(migration: string): string[] {
  return migration.match(/(?:\$\$.*?\$\$|[^;]|;(?!\n))+;?/gs) ?? [];
}

/** Returns whether the applied migrations created the schema, which takes the first one. */
export function isFirstStart({ applied }: Migrated): boolean {
  return applied[0]?.startsWith("0001_") ?? false;
}
