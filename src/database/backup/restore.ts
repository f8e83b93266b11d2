import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { queryableOn } from "../database.ts";
import { ONE_CONNECTION_PER_NODE } from "../distribution.ts";
import { applyMigrations, lockSchema, upgrade, type WaitLog } from "../migrate.ts";
import { knownMigrations, selectApplied } from "../migration-files.ts";
import type { Queryable } from "../statement.ts";
import { decompress, unpackArchive } from "./archive.ts";
import { NO_TIME_LIMITS } from "./backup.ts";
import { findFilledTable, selectTables } from "./catalog.ts";
import { getMail, getTable, type Manifest, type Table } from "./manifest.ts";
import {
  adoptManifest,
  adoptRows,
  assertLastPreRelease,
  dropColumns,
  getCurrentTable,
  isPreRelease,
  needsAdoption,
} from "./pre-release.ts";

/** Mails of a backup, which stay out of the outbox until they are committed. */
interface RestoredMails {
  keep(name: string, data: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface RestoreOptions {
  connection: pg.ClientConfig;
  /** The archive, which has been verified. */
  file: FileHandle;
  manifest: Manifest;
  /** Called if the restore waits for a backup or upgrade. */
  log?: WaitLog;
  onRead(bytes: number): void;
  mails: RestoredMails;
  /** Completes the restore in its transaction, once the rows are there. */
  complete(transaction: Queryable): Promise<void>;
}

interface Restore extends RestoreOptions {
  /** Whether the rows are of a pre-release version and must be completed. */
  isAdopted: boolean;
}

/** Throws an error unless this version knows every migration of the backup, or the last pre-release version made it. */
export async function assertMigrationsKnown(manifest: Manifest): Promise<void> {
  if (isPreRelease(manifest)) return assertLastPreRelease(manifest);
  const { migrations, colloquy } = manifest;
  const known = new Set(await knownMigrations());
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The backup is of a newer version, Colloquy ${colloquy}, with the migrations ${unknown.join(", ")}. ` +
      "Restore it with that version or a later one.",
  );
}

/**
 * Restores a backup into a database without rows, and upgrades it to this version. Throws an error and changes nothing
 * if there are rows. All rows are committed together, so a restore that fails leaves a database without rows and can be
 * repeated. Starts of the service wait for the end. Returns the names of the tables of other programs in the backup,
 * which are not restored.
 */
export async function restoreBackup(given: RestoreOptions): Promise<string[]> {
  const isAdopted = needsAdoption(given.manifest);
  const manifest = isAdopted ? adoptManifest(given.manifest, await knownMigrations()) : given.manifest;
  const options = { ...given, manifest, isAdopted };
  const client = new pg.Client({ ...options.connection, ...NO_TIME_LIMITS });
  // The running statement reports a lost connection; an unhandled error event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lockSchema(client, "exclusive", options.log);
    await assertEmpty(client, options.manifest);
    const isCurrent = options.manifest.migrations.length === (await knownMigrations()).length;
    const skipped = await (isCurrent ? restoreIntoCurrentSchema : restoreAndUpgrade)(client, options);
    await client.query("analyze");
    return skipped;
  } finally {
    await client.end();
  }
}

/** Creates and distributes the tables before the rows arrive, and commits them: a failed restore leaves them. */
async function restoreIntoCurrentSchema(client: pg.Client, options: Restore): Promise<string[]> {
  await upgrade(client);
  return restoreRows(client, options);
}

/** Creates the tables as they were when the backup was made, and distributes them with their rows. */
async function restoreAndUpgrade(client: pg.Client, options: Restore): Promise<string[]> {
  const skipped = await restoreRows(client, options);
  await upgrade(client);
  return skipped;
}

/**
 * Creates the tables of the backup if they are missing, adds the rows and migrates them, in one transaction. The mails
 * follow its commit. Returns the names of the tables that the migrations do not create.
 */
async function restoreRows(client: pg.Client, options: Restore): Promise<string[]> {
  const { manifest, mails } = options;
  let skipped: string[];
  try {
    await client.query("begin");
    await client.query(ONE_CONNECTION_PER_NODE);
    await applyMigrations(client, manifest.migrations);
    const own = new Map((await selectTables(client)).map(({ name, columns }) => [name, columns]));
    skipped = manifest.tables.map(({ name }) => name).filter((name) => !own.has(name));
    await copyRows(client, options, own);
    if (options.isAdopted) await adoptRows(client);
    await applyMigrations(client, await knownMigrations());
    await adaptToServer(client);
    await options.complete(queryableOn(client));
    await client.query("commit");
  } catch (error) {
    await mails.discard();
    throw error;
  }
  await mails.commit();
  return skipped;
}

/**
 * Clears the IDs of transactions, which are those of the server that was backed up, and skips the numbers of the tokens
 * that it issued after the backup, so that later revocations end these tokens too.
 */
async function adaptToServer(client: pg.Client): Promise<void> {
  await client.query("select setval('user_token_sequence', last_value + 1000000000) from user_token_sequence");
  await client.query("update document_purges set deleted_in = null");
  await client.query("update user_data_deletions set accepted_in = null");
}

async function assertEmpty(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const remedy = "Restore into an empty database.";
  const filled = await findFilledTable(client);
  if (filled !== undefined) throw new Error(`The database is not empty: its table ${filled} has rows. ${remedy}`);
  const applied = (await selectApplied(queryableOn(client))).map(({ name }) => name);
  const [foreign] = applied.length === 0 ? await selectTables(client) : [];
  if (foreign) {
    throw new Error(`The database is not empty: Colloquy has not created its table ${foreign.name}. ${remedy}`);
  }
  const known = new Set(migrations);
  const newer = applied.filter((name) => !known.has(name));
  if (newer.length === 0) return;
  throw new Error(`The database has tables of a newer version than the backup. ${remedy}`);
}

async function copyRows(
  client: pg.Client,
  { file, manifest, onRead, mails }: RestoreOptions,
  own: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const tables = new Map(manifest.tables.flatMap((table) => (own.has(table.name) ? [[table.name, table]] : [])));
  const rows = new Map<string, number>();
  for await (const entry of unpackArchive(file, onRead)) {
    const mail = getMail(entry);
    if (mail !== undefined) await mails.keep(mail, entry.data);
    const table = tables.get(getCurrentTable(getTable(entry) ?? ""));
    if (!table) continue;
    const copied = await copyPart(client, table, own.get(table.name) ?? [], await decompress(entry.data));
    rows.set(table.name, (rows.get(table.name) ?? 0) + copied);
  }
  for (const { name, rows: expected } of tables.values()) {
    const copied = rows.get(name) ?? 0;
    if (copied !== expected) throw new Error(`The table ${name} got ${copied} rows instead of ${expected}.`);
  }
  for (const { name, lastValue, isCalled } of manifest.sequences) {
    await client.query(
      "select setval(own, $2, $3) from (select to_regclass($1) as own) as found where own is not null",
      [client.escapeIdentifier(name), lastValue, isCalled],
    );
  }
}

/** Adds rows of a backup to a table, without the values of columns that the table does not have anymore. */
async function copyPart(
  client: pg.Client,
  table: Table,
  ownColumns: readonly string[],
  rows: Uint8Array,
): Promise<number> {
  const columns = table.columns.filter((column) => ownColumns.includes(column));
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const stream = client.query(copyFrom(`copy ${client.escapeIdentifier(table.name)} (${list}) from stdin`));
  await pipeline(Readable.from([dropColumns(rows, table, columns)]), stream);
  return stream.rowCount;
}
