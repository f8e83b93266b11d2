import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import pino from "pino";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { copyCluster } from "../../test/global-setup.ts";
import { readPostmasterPid } from "../../test/service-process.ts";
import { longTest, size } from "../../test/sizes.ts";
import {
  borrowEmbeddedDatabase,
  DataDirectoryInUse,
  type EmbeddedConnection,
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from "./embedded.ts";

const log = pino({ level: "silent" });
/** Number of times that commands begin and end all at once. */
const ROUNDS = size({ usual: 1, long: 20 });
/** Signals that end PostgreSQL. */
const SIGNALS = size<NodeJS.Signals[]>({ usual: ["SIGKILL"], long: ["SIGKILL", "SIGQUIT"] });
let root: string;
let dataDir: string;
let started: EmbeddedDatabase[];
let children: ChildProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "colloquy-embedded-"));
  dataDir = join(root, "data");
  copyCluster(inject("preparedDataDir"), dataDir);
  started = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) await end(child);
  await Promise.all(started.map((database) => database.stop()));
  // A killed service leaves its PostgreSQL running.
  if ((await postmasterPid()) !== undefined) await (await borrowEmbeddedDatabase({ dataDir, log })).stop();
  await rm(root, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedDatabase> {
  return kept(await startEmbeddedDatabase({ dataDir, log }));
}

async function borrow(): Promise<EmbeddedDatabase> {
  return kept(await borrowEmbeddedDatabase({ dataDir, log }));
}

function kept(database: EmbeddedDatabase): EmbeddedDatabase {
  started.push(database);
  return database;
}

async function query(connection: EmbeddedConnection, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query({ text, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

async function write({ connection }: EmbeddedDatabase, value: number): Promise<void> {
  await query(connection, "create table if not exists kept (value int)");
  await query(connection, `insert into kept values (${value})`);
}

function read({ connection }: EmbeddedDatabase): Promise<unknown[]> {
  return query(connection, "select value from kept order by value");
}

function postmasterPid(): Promise<number | undefined> {
  return readPostmasterPid(dataDir).catch(() => undefined);
}

async function killPostmaster(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  process.kill(await readPostmasterPid(dataDir), signal);
}

/** Starts a service in its own process, which can be killed. Resolves after it has written 1. */
async function startServiceProcess(): Promise<ChildProcess> {
  const script = `
    import pg from "pg";
    import pino from "pino";
    const { startEmbeddedDatabase } = await import(${JSON.stringify(new URL("./embedded.ts", import.meta.url).href)});
    const options = { dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: "silent" }) };
    const { connection } = await startEmbeddedDatabase(options);
    const client = new pg.Client(connection);
    client.on("error", () => undefined);
    await client.connect();
    await client.query("create table kept (value int)");
    await client.query("insert into kept values (1)");
    console.log("written");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), "line");
  expect(line).toBe("written");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("committed rows survive a stop and a start", async () => {
  const first = await start();
  await write(first, 1);
  await first.stop();
  expect(await postmasterPid()).toBeUndefined();
  expect(await read(await start())).toEqual([1]);
});

test("PostgreSQL that has ended is restarted automatically, and the service always holds the directory", async () => {
  const database = await start();
  await write(database, 1);
  await expectError();
  for (const signal of SIGNALS) {
    const before = await postmasterPid();
    await killPostmaster(signal);
    await eventually(async () => {
      expect(await postmasterPid()).not.toBe(before);
      const [count] = await query(
        database.connection,
        `select count(*)::int from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'`,
      );
      expect(count).toBe(1);
    });
    await expectError();
    expect(await read(database)).toEqual([1]);
  }
});

/** Starts a second service on the directory, which must be rejected with one sentence. */
async function expectError(): Promise<void> {
  const rejection = await start().catch((error) => error);
  expect(rejection).toBeInstanceOf(DataDirectoryInUse);
  expect(rejection.message).toBe(
    `DATA_DIR ${dataDir} is in use by another colloquy service (process ${process.pid}); ` +
      "stop it or set another DATA_DIR.",
  );
}

longTest("PostgreSQL restarts although a process of its killed postmaster is still busy", async () => {
  const database = await start();
  await write(database, 1);
  const busy = query(database.connection, "select count(*) from generate_series(1, 1e12)").catch((error) => error);
  await eventually(async () => {
    const found = await query(database.connection, "select count(*)::int from pg_stat_activity where query ~ '1e12'");
    expect(found).toEqual([2]);
  });
  await killPostmaster();
  await eventually(async () => expect(await read(database)).toEqual([1]));
  expect(await busy).toBeInstanceOf(Error);
});

test("a start adopts the PostgreSQL of a killed service", async () => {
  await end(await startServiceProcess());
  const left = await postmasterPid();
  const next = await start();
  expect(await read(next)).toEqual([1]);
  expect(await postmasterPid()).toBe(left);
});

longTest("a start recovers although another program has the process ID of the killed PostgreSQL", async () => {
  const service = await startServiceProcess();
  await Promise.all([end(service), killPostmaster()]);
  const { uid } = await stat(join(dataDir, "postgres"));
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { uid, cwd: "/", stdio: "ignore" });
  children.push(other);
  const path = join(dataDir, "postgres", "postmaster.pid");
  await writeFile(path, (await readFile(path, "utf8")).replace(/^\d+/, String(other.pid)));
  expect(await read(await start())).toEqual([1]);
});

longTest("a start recovers from an empty lock file", async () => {
  await writeFile(join(dataDir, "postgres", "postmaster.pid"), "");
  await query((await start()).connection, "select 1");
});

test("one of two simultaneous first starts wins, and its data is durable, in UTF-8, and closed to others", async () => {
  dataDir = join(root, "empty");
  const outcomes = await Promise.allSettled([start(), start()]);
  const rejected = outcomes.filter((outcome) => outcome.status === "rejected").map((outcome) => outcome.reason);
  expect(rejected).toEqual([expect.any(DataDirectoryInUse)]);

  const connection = started[0]?.connection ?? expect.fail("no start won");
  const names = ["fsync", "full_page_writes", "synchronous_commit", "server_encoding", "TimeZone"];
  const shown = await query(connection, `select ${names.map((name) => `current_setting('${name}')`).join(", ")}`);
  expect(shown).toEqual(["on", "on", "on", "UTF8", "UTC"]);
  expect((await stat(join(dataDir, "postgres"))).mode & 0o777).toBe(0o700);
  expect(connection.host).toBe(join(dataDir, "postgres"));
});

test("PostgreSQL runs from the start of its first service or command to the end of its last one", async () => {
  const command = await borrow();
  await write(command, 1);
  const service = await start();
  await command.stop();
  expect(await read(service)).toEqual([1]);
  const [later, last] = [await borrow(), await borrow()];
  await later.stop();
  expect(await read(service)).toEqual([1]);
  await service.stop();
  expect(await read(last)).toEqual([1]);
  await last.stop();
  expect(await postmasterPid()).toBeUndefined();
});

test.each(["/dev/null", "/proc/colloquy"])("an error names the DATA_DIR %s if it cannot be used", async (path) => {
  await expect(borrowEmbeddedDatabase({ dataDir: path, log })).rejects.toThrow(`DATA_DIR ${path} cannot be used`);
});

test("a signal ends a start with its reason and leaves no PostgreSQL behind", async () => {
  const reason = new Error("stopped");
  await expect(startEmbeddedDatabase({ dataDir, log, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await postmasterPid()).toBeUndefined();
});

test("commands that begin and end all at once each find PostgreSQL", async () => {
  async function command(value: number): Promise<void> {
    const database = await borrow();
    await query(database.connection, `select ${value}`);
    await database.stop();
  }
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all([1, 2, 3].map(command));
  expect(await postmasterPid()).toBeUndefined();
});

test("a socket path that is too long is replaced by a loopback port with a password", async () => {
  dataDir = join(root, "x".repeat(110));
  copyCluster(inject("preparedDataDir"), dataDir);
  const first = await start();
  expect(first.connection).toMatchObject({ host: "127.0.0.1", password: expect.stringMatching(/^[0-9a-f]{48}$/) });
  await write(first, 1);
  expect(await read(await borrow())).toEqual([1]);
  await expect(query({ ...first.connection, password: "wrong" }, "select 1")).rejects.toThrow("password");
  await killPostmaster();
  await eventually(async () => expect(await read(first)).toEqual([1]));
});

test("a cluster of another major version is rejected with a remedy", async () => {
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow(/is of PostgreSQL 17 and this release runs PostgreSQL 18; dump it/);
});

test("a start that PostgreSQL rejects reports what PostgreSQL logged", async () => {
  await rm(join(dataDir, "postgres", "global", "pg_control"));
  await expect(start()).rejects.toThrow(/PostgreSQL did not start in DATA_DIR .*pg_control/s);
});

longTest("a service can stop while PostgreSQL cannot be restarted", async () => {
  const database = await start();
  await write(database, 1);
  const control = join(dataDir, "postgres", "global", "pg_control");
  await rename(control, join(root, "pg_control"));
  await killPostmaster();
  await eventually(() => expect(read(database)).rejects.toThrow());
  await database.stop();
  await rename(join(root, "pg_control"), control);
  expect(await read(await start())).toEqual([1]);
});
