import { randomUUID } from "node:crypto";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { queryableOn } from "../database.ts";
import { ONE_CONNECTION_PER_NODE } from "../distribution.ts";
import { lockSchema, type WaitLog } from "../migrate.ts";
import { selectApplied } from "../migration-files.ts";
import { type ArchiveEntry, compress } from "./archive.ts";
import { selectSequences, selectTables } from "./catalog.ts";
import {
  type Content,
  ContentDigest,
  FORMAT,
  MANIFEST,
  type Manifest,
  mailFile,
  type Table,
  tableFile,
} from "./manifest.ts";

/** Settings without time limits, because a backup to a slow output can take hours. */
export const NO_TIME_LIMITS = { query_timeout: 0 };

/** Bytes of rows in a file of the archive, except that a row is in one file. */
const PART_BYTES = 4 * 1024 * 1024;

/** The text of a value must not depend on the settings of the server, role or database. */
const SETTINGS = "set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set bytea_output = 'hex'";

export interface BackupOptions {
  connection: pg.ClientConfig;
  /** Version of Colloquy. */
  version: string;
  /** Called if the backup waits for a restore or upgrade. */
  log?: WaitLog;
  /** Returns the keyed hash of the backup's id under SECRET_KEY. */
  hashId(id: string): string;
  /** Mails that are kept as files, by their names. */
  mails: AsyncIterable<{ name: string; data: Uint8Array }>;
  /** Called with the share that is done, and the table or folder that is being copied. */
  onProgress(share: number, name: string): void;
  onManifest(manifest: Manifest): void;
}

/**
 * Yields the files of a backup: all rows in one snapshot of the database, the mails, and the manifest. Upgrades of the
 * schema wait for its end; the service and its requests do not.
 */
export async function* readBackup(options: BackupOptions): AsyncGenerator<ArchiveEntry> {
  const client = new pg.Client({ ...options.connection, ...NO_TIME_LIMITS });
  // The running statement reports a lost connection; an unhandled error event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lockSchema(client, "shared", options.log);
    await client.query(SETTINGS);
    await client.query("begin isolation level repeatable read read only");
    yield* readSnapshot(client, options);
  } finally {
    await client.end();
  }
}

async function* readSnapshot(client: pg.Client, options: BackupOptions): AsyncGenerator<ArchiveEntry> {
  const { version, hashId, mails, onProgress, onManifest } = options;
  const migrations = (await selectApplied(queryableOn(client))).map(({ name }) => name);
  if (migrations.length === 0) throw new Error("The database has no tables yet, so there is nothing to back up.");
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
  const found = await selectTables(client);
  await openSnapshots(client, found);
  const totalBytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const tables: Table[] = [];
  let doneBytes = 0;
  for (const { name, columns, bytes } of found) {
    const copied = (count: number) => onProgress((doneBytes + Math.min(count, bytes)) / totalBytes, name);
    tables.push({ name, columns, ...(yield* readTable(client, { name, columns }, copied)) });
    doneBytes += bytes;
  }
  onProgress(1, "outbox");
  const outbox = new ContentDigest();
  for await (const { name, data } of mails) {
    outbox.addBytes(data);
    outbox.addRows(1);
    yield { name: mailFile(name), data };
  }
  const id = randomUUID();
  const manifest: Manifest = {
    format: FORMAT,
    id,
    createdAt: new Date().toISOString(),
    colloquy: version,
    postgres: rows[0]?.version ?? "",
    migrations,
    secretKeyHash: hashId(id),
    tables,
    // Read last, because sequences are in no snapshot: they are past every row that was copied.
    sequences: await selectSequences(client),
    outbox: outbox.result(),
  };
  yield { name: MANIFEST, data: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) };
  onManifest(manifest);
}

/** Reads from each table, so that all nodes of a Citus cluster take their snapshots now: within a few milliseconds. */
async function openSnapshots(client: pg.Client, tables: { name: string }[]): Promise<void> {
  await client.query(ONE_CONNECTION_PER_NODE);
  for (const { name } of tables) await client.query(`select from ${client.escapeIdentifier(name)} limit 1`);
}

async function* readTable(
  client: pg.Client,
  { name, columns }: Pick<Table, "name" | "columns">,
  onCopied: (bytes: number) => void,
): AsyncGenerator<ArchiveEntry, Content> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const rows = client.query(copyTo(`copy ${client.escapeIdentifier(name)} (${list}) to stdout`));
  const digest = new ContentDigest();
  let part = 0;
  for await (const data of wholeRows(rows)) {
    digest.addBytes(data);
    onCopied(digest.result().bytes);
    part++;
    yield { name: tableFile(name, part), data: await compress(data) };
  }
  digest.addRows(rows.rowCount);
  return digest.result();
}

/** Joins pieces of COPY's text format into parts that end with a row. */
async function* wholeRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(0x0a) + 1;
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PART_BYTES || end === 0) continue;
    const rest = piece.subarray(end);
    yield Buffer.concat(waiting).subarray(0, bytes - rest.length);
    waiting = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
