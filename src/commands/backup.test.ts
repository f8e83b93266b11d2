import { execFile } from "node:child_process";
import { once } from "node:events";
import { access, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import {
  type Environment,
  emptyFolder,
  runCommand,
  runJsonCommand,
  runProcess,
  startProcess,
} from "../../test/command-line.ts";
import { readRows } from "../../test/database-rows.ts";
import { eventually } from "../../test/eventually.ts";
import { fillTables } from "../../test/fill-tables.ts";
import { connectionUrl } from "../../test/global-setup.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { runQuery } from "../../test/servers.ts";
import { temporaryDataDir } from "../../test/service-process.ts";
import { longTest, size } from "../../test/sizes.ts";
import { readConfig } from "../config/config.ts";
import { writePrivateFile } from "../config/private-file.ts";
import { type Seal, signedText } from "../database/backup/archive.ts";
import { verifyArchive } from "../database/backup/verify.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { borrowEmbeddedDatabase } from "../database/embedded.ts";
import { replaceKey } from "../database/secret-key-fingerprint.ts";
import { readKeys } from "../service/keys.ts";
import { STORED_SECRETS } from "../service/stored-secrets.ts";

const SECRET_KEY = "5".repeat(64);
/** Sequences, without the numbers of the audit entries that restores add, and of the tokens that they skip. */
const SEQUENCES = `select sequencename, case
    when sequencename like 'audit_entries%'
      then last_value - (select count(*) from audit_entries where action in ('workspace.restore', 'workspace.backup'))
    when sequencename = 'user_token_sequence' then last_value % 1000000000 else last_value end as "lastValue"
  from pg_sequences where schemaname = 'public' order by 1`;
const MAIL = "2026-01-31T12-00-00-000Z-service-00000000-0000-4000-8000-000000000001.eml";

async function inDatabase<Result>(environment: Environment, work: (database: Database) => Promise<Result>) {
  const config = readConfig(environment);
  const { database, close } = await connectDatabase(config, silentLog, "command");
  return work(database).finally(close);
}

/** Returns everything that a backup must keep: all but the audit entries that backups and restores add. */
function readEverything(environment: Environment) {
  return inDatabase(environment, async (database) => ({
    rows: (await readRows(database, { excludedTables: ["migrations"] })).filter(
      (row) => !/workspace\.(restore|backup)/.test(row),
    ),
    sequences: await runSql(database, SEQUENCES),
    mail: await readFile(join(String(environment.DATA_DIR), "outbox", MAIL), "utf8"),
  }));
}

async function fill(database: Database): Promise<void> {
  await fillTables(database, [1, 2, 3]);
  await runSql(
    database,
    "select setval('activity_sequence', 1234), nextval('comment_sequence'), nextval('user_token_sequence')",
  );
  // A restore starts new event logs.
  await runSql(database, "update workspaces set events_until = null");
  const { secrets, fingerprints } = await readKeys({ config: readConfig({ SECRET_KEY }) });
  await replaceKey(database, fingerprints);
  for (const kind of STORED_SECRETS) {
    for (const secret of await kind.select(database)) {
      await kind.replace(database, secret, secrets.encrypt("secret", kind.boundTo(secret)));
    }
  }
}

/** Returns the environment of an embedded database without tables. */
async function embedded(): Promise<Environment> {
  return { DATA_DIR: await temporaryDataDir({ isPostgresPrepared: true }), SECRET_KEY };
}

/** Returns the environment of an empty database on a PostgreSQL server of its own. */
async function server(): Promise<Environment> {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const { connection, stop } = await borrowEmbeddedDatabase({ dataDir, log: silentLog });
  onTestFinished(stop);
  return { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionUrl(connection), SECRET_KEY };
}

/** Returns the environment of an empty database on the server of the tests, which may be a Citus cluster. */
async function external(): Promise<Environment> {
  const { connectionString } = await createTestDatabase({ isBare: true });
  return { DATA_DIR: await emptyFolder(), DATABASE_URL: connectionString, SECRET_KEY };
}

/** Fills a database and backs it up. */
async function backedUp(from: Environment): Promise<string> {
  await runJsonCommand(["migrate"], from);
  await inDatabase(from, fill);
  await writePrivateFile(join(String(from.DATA_DIR), "outbox", MAIL), "Subject: hello\n\nGood day, é");
  const file = join(await emptyFolder(), "backup");
  await runJsonCommand(["backup", file], from);
  return file;
}

/** A filled database, and its backup. Tests only read them. */
const filled = await external();
const backup = await backedUp(filled);

/** Makers of the places to which a database moves, one after the other. */
const PLACES = size({ usual: [embedded, external], long: [embedded, server, external, embedded] });

test("a database moves from embedded to servers and back with every row, sequence and mail", async () => {
  const places: Environment[] = [];
  for (const make of PLACES) places.push(await make());
  const [first = {}, ...others] = places;
  let file = await backedUp(first);
  const expected = await readEverything(first);
  for (const place of others) {
    await runJsonCommand(["restore", file], place);
    expect(await readEverything(place)).toEqual(expected);
    file = join(await emptyFolder(), "backup");
    await runJsonCommand(["backup", file], place);
  }
});

test("a restore is recorded in the audit log of every workspace, as an act of the command line", async () => {
  const to = await external();
  const { id, createdAt } = await runJsonCommand(["restore", backup], to);
  const statement = `select workspaces.id, record from workspaces
    left join audit_entries on workspace_id = workspaces.id and action = 'workspace.restore'`;
  const entries = await inDatabase(to, (database) => runSql<{ record: unknown }>(database, statement));
  expect(entries).toHaveLength(3);
  const target = { backupId: id, createdAt };
  for (const { record } of entries) expect(record).toMatchObject({ actor: { type: "command_line" }, target });
});

test("a backup through pipes restores every row", async () => {
  const to = await external();
  const main = fileURLToPath(new URL("../main.js", import.meta.url));
  const getEnvironment = ({ DATABASE_URL, DATA_DIR }: Environment) =>
    `DATABASE_URL='${DATABASE_URL}' DATA_DIR=${DATA_DIR}`;
  const colloquy = `"${process.execPath}" "${main}"`;
  const commands = `${getEnvironment(filled)} ${colloquy} backup - | ${getEnvironment(to)} ${colloquy} restore -`;
  const env = { PATH: process.env.PATH, SECRET_KEY };
  const { stdout } = await promisify(execFile)("sh", ["-c", commands], { cwd: await emptyFolder(), env });
  expect(stdout).toMatch(/^Restored \d+ rows of \d+ tables and 1 mail, as of \S+Z\.\n$/);
  expect(await readEverything(to)).toEqual(await readEverything(filled));
  expect(await readdir(String(to.DATA_DIR))).toEqual(["outbox"]);
});

test("a backup is readable by its owner only, and replaces no file", async () => {
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  const before = await readFile(backup);
  const { stderr, exitCode } = await runCommand(["backup", backup], filled);
  const message = `colloquy: ${backup} exists already. Name a new file.\n`;
  expect({ stderr, exitCode }).toEqual({ stderr: message, exitCode: 1 });
  expect((await readFile(backup)).equals(before)).toBe(true);
  expect(await readdir(join(backup, ".."))).toEqual(["backup"]);
});

test("a backup with any byte changed or its end cut off is rejected", async () => {
  const bytes = await readFile(backup);
  const copy = join(await emptyFolder(), "damaged");
  const { backups } = await readKeys({ config: readConfig({ SECRET_KEY }) });
  const isAccepted = async (content: Uint8Array) => {
    await writeFile(copy, content);
    const handle = await open(copy);
    const authenticate = async (_: unknown, { sha256, signature = "" }: Seal) => {
      expect(backups.matchesHash(signedText(sha256), Buffer.from(signature, "hex"))).toBe(true);
    };
    return verifyArchive(handle, () => {}, authenticate)
      .then(() => true)
      .catch(() => false)
      .finally(() => handle.close());
  };
  expect(await isAccepted(bytes)).toBe(true);
  const step = Math.ceil(bytes.length / size({ usual: 40, long: bytes.length }));
  const ends = Array.from({ length: size({ usual: 20, long: 100 }) }, (_, index) => [
    index,
    bytes.length - 1 - index,
  ]).flat();
  for (const place of new Set([...ends, ...Array.from(bytes.keys()).filter((index) => index % step === 0)])) {
    const flipped = Buffer.from(bytes);
    flipped[place] = (flipped[place] ?? 0) ^ 0x20;
    expect(await isAccepted(flipped), `with byte ${place} changed`).toBe(false);
    expect(await isAccepted(bytes.subarray(0, place)), `cut off at ${place}`).toBe(false);
  }
  expect(await isAccepted(Buffer.concat([bytes, Buffer.from("\n")]))).toBe(false);
});

test("a damaged backup is rejected before anything is written", async () => {
  const file = join(await emptyFolder(), "damaged");
  await writeFile(file, (await readFile(backup)).subarray(0, -1));
  const DATA_DIR = join(await emptyFolder(), "data");
  const { stderr, exitCode } = await runCommand(["restore", file], { DATA_DIR, SECRET_KEY });
  expect(stderr).toMatch(/^colloquy: \S+ is damaged or no backup\. .* Nothing was restored\.\n$/);
  expect(exitCode).toBe(1);
  await expect(access(DATA_DIR)).rejects.toThrow("ENOENT");
});

test("a restore with another SECRET_KEY is rejected before anything is written, unless the key is lost", async () => {
  const DATA_DIR = join(await emptyFolder(), "data");
  for (const environment of [{ DATA_DIR }, { DATA_DIR, SECRET_KEY: "6".repeat(64) }]) {
    const { stderr, exitCode } = await runCommand(["restore", backup], environment);
    expect(stderr).toMatch(/^colloquy: SECRET_KEY is not that of the backup, [^\n]+ secrets of webhook endpoints\.\n$/);
    expect(exitCode).toBe(1);
  }
  await expect(access(DATA_DIR)).rejects.toThrow("ENOENT");
  const to = { ...(await external()), SECRET_KEY: "6".repeat(64) };
  const { stderr, exitCode } = await runCommand(["restore", backup, "--without-secrets"], to);
  expect(stderr).toMatch(/^Stored secrets under none of the known keys: [1-9]\d*\. [^\n]+\n$/m);
  expect(exitCode).toBe(0);
  const earlier = { ...(await external()), SECRET_KEY: "6".repeat(64), SECRET_KEY_OLD: SECRET_KEY };
  expect((await runCommand(["restore", backup], earlier)).exitCode).toBe(0);
});

test("a database that is not empty is left as it is", async () => {
  const before = await readEverything(filled);
  const { stderr, exitCode } = await runCommand(["restore", backup], filled);
  expect(stderr).toMatch(/^colloquy: The database is not empty: its table \w+ has rows\. [^\n]+\n$/);
  expect(exitCode).toBe(1);
  expect(await readEverything(filled)).toEqual(before);
});

test("a folder and an empty standard input are rejected, and the error says what they are", async () => {
  const folder = await emptyFolder();
  const { stderr, exitCode } = await runCommand(["restore", folder], { DATA_DIR: folder, SECRET_KEY });
  const message = `colloquy: ${folder} is a folder. Name a backup, which is a file.\n`;
  expect({ stderr, exitCode }).toEqual({ stderr: message, exitCode: 1 });
  const failed = await runProcess(["restore", "-"], { DATA_DIR: folder, SECRET_KEY });
  expect(failed).toMatchObject({ stderr: expect.stringMatching(/^colloquy: Standard input is damaged /), exitCode: 1 });
});

test("a database with a table of another program is rejected, and gets no further tables", async () => {
  for (const name of ["other", "users"]) {
    const to = await external();
    await runQuery(String(to.DATABASE_URL), `create table ${name} (id integer)`);
    const { stderr, exitCode } = await runCommand(["restore", backup], to);
    expect(stderr).toBe(
      `colloquy: The database is not empty: Colloquy has not created its table ${name}. ` +
        "Restore into an empty database.\n",
    );
    expect(exitCode).toBe(1);
    const { rows } = await runQuery(String(to.DATABASE_URL), "select from pg_tables where schemaname = 'public'");
    expect(rows).toHaveLength(1);
  }
});

test("a table of another program is named and left out when its backup is restored", async () => {
  const from = await external();
  await backedUp(from);
  await runQuery(String(from.DATABASE_URL), "create table other (id serial); insert into other values (1)");
  const file = join(await emptyFolder(), "backup");
  await runJsonCommand(["backup", file], from);
  const to = await external();
  const { stdout, stderr, exitCode } = await runCommand(["restore", file, "--json"], to);
  const message = "Not restored are tables of the backup that belong to another program: other.\n";
  expect({ stderr, exitCode }).toEqual({ stderr: message, exitCode: 0 });
  expect(stdout).not.toContain('"other"');
  await runQuery(String(from.DATABASE_URL), "drop table other");
  expect(await readEverything(to)).toEqual(await readEverything(from));
});

function copiesIn(environment: Environment) {
  const statement = `select wait_event_type as "waitsFor" from pg_stat_activity
    where datname = current_database() and query like 'copy %'`;
  return inDatabase(environment, (database) => runSql(database, statement));
}

longTest("a killed restore leaves an empty database, into which the backup can be restored", async () => {
  const to = await external();
  await runJsonCommand(["migrate"], to);
  const blocker = new pg.Client({ connectionString: String(to.DATABASE_URL) });
  await blocker.connect();
  await blocker.query("begin; lock table users in exclusive mode");
  const restoring = startProcess(["restore", backup], to);
  await eventually(async () => expect(await copiesIn(to)).toEqual([{ waitsFor: "Lock" }]));
  restoring.kill("SIGKILL");
  await once(restoring, "close");
  await blocker.end();
  await eventually(async () => expect(await copiesIn(to)).toEqual([]));
  expect(await inDatabase(to, (database) => readRows(database, { excludedTables: ["migrations"] }))).toEqual([]);
  await runJsonCommand(["restore", backup], to);
  expect(await readEverything(to)).toEqual(await readEverything(filled));
});
