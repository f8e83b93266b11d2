import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { createTestDatabase, silentLog } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { databaseUrl, getDatabaseName } from "../../test/servers.ts";
import { temporaryDataDir } from "../../test/service-process.ts";
import { type Config, readConfig } from "../config/config.ts";
import { connectDatabase, parseConnection } from "./connect.ts";
import { borrowEmbeddedDatabase } from "./embedded.ts";

const { connectionString } = await createTestDatabase();
const name = getDatabaseName(connectionString);
const [, ...workerUrls] = inject("serverUrls");

function getConfig(url: URL, waitSeconds: number): Config {
  return readConfig({
    DATABASE_URL: url.href,
    DATABASE_WAIT_SECONDS: String(waitSeconds),
    SECRET_KEY: "5".repeat(64),
  });
}

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Returns the URL of a local port that forwards to the test's server once `open` was called. */
async function reservePort(): Promise<{ url: URL; open(): void }> {
  const target = new URL(connectionString);
  const directory = target.searchParams.get("host");
  const door = createServer((socket) => {
    const server = directory?.startsWith("/")
      ? connect(`${directory}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), directory ?? target.hostname);
    socket.pipe(server).pipe(socket);
    for (const end of [socket, server]) end.on("error", () => socket.destroy());
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const port = getPort(door);
  await new Promise((resolve) => door.close(resolve));
  onTestFinished(() => void door.close());
  const url = new URL(target);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${port}`;
  return { url, open: () => void door.listen(port, "127.0.0.1") };
}

test("a start waits for an unavailable database, logs that, and continues once it is there", async () => {
  const { url, open } = await reservePort();
  const lines: string[] = [];
  const log = pino(
    { level: "warn" },
    {
      write(line) {
        lines.push(line);
        open();
      },
    },
  );
  const { database, close } = await connectDatabase(getConfig(url, 30), log, "service");
  onTestFinished(close);
  const rows = await runSql<{ one: number }>(database, "select 1 as one");
  expect(rows).toEqual([{ one: 1 }]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("waiting for the database");
});

test("a database that stays unavailable ends the start with a sentence without the password", async () => {
  const { url } = await reservePort();
  url.password = "hush";
  const error = connectDatabase(getConfig(url, 0), silentLog, "service");
  await expect(error).rejects.toThrow(/^The database 127\.0\.0\.1:\d+\/\w+ of DATABASE_URL cannot be reached: .+\.$/);
  await expect(error).rejects.not.toThrow("hush");
});

test("a standby ends the start with a sentence that says so, and doctor names it", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  await writeFile(join(dataDir, "postgres", "standby.signal"), "");
  const { connection, stop } = await borrowEmbeddedDatabase({ dataDir, log: silentLog });
  onTestFinished(stop);
  const url = new URL(`postgresql://${connection.user}@localhost:${connection.port}/${connection.database}`);
  if (connection.password) url.password = connection.password;
  url.searchParams.set("host", connection.host);
  const finding = "it is a standby, which cannot be written; set DATABASE_URL to its primary, or promote it.";
  await expect(connectDatabase(getConfig(url, 0), silentLog, "service")).rejects.toThrow(finding);
  const environment = { DATABASE_URL: url.href, SECRET_KEY: "5".repeat(64), DATA_DIR: await emptyFolder() };
  const { stdout, exitCode } = await runCommand(["doctor"], environment);
  expect(stdout).toContain(finding);
  expect(exitCode).toBe(1);
});

test("a start retries a database that is down, logs each attempt, and fails after the time limit", async () => {
  const { url } = await reservePort();
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  await expect(connectDatabase(getConfig(url, 3), log, "service")).rejects.toThrow(
    /cannot be reached within 3 s \(DATABASE_WAIT_SECONDS\)[^\n]+\.$/,
  );
  expect(lines).not.toEqual([]);
  for (const line of lines) expect(line).toMatch(/"level":40,.*"msg":"waiting for the database .* for [1-3] s more: /);
});

test("a signal ends the wait at once with its reason, even for a server that never responds", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const url = new URL(connectionString);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${getPort(silent)}`;
  const [stopping, reason] = [new AbortController(), new Error("stopped")];
  const closed = once(silent, "connection").then(([socket]) => {
    stopping.abort(reason);
    return once(socket, "close");
  });
  const error = connectDatabase(getConfig(url, 30), silentLog, "service", stopping.signal);
  await expect(error).rejects.toBe(reason);
  await closed;
});

test("a database that does not exist ends the start at once", async () => {
  const url = new URL(connectionString);
  url.pathname = "/nothing_by_this_name";
  const error = connectDatabase(getConfig(url, 30), silentLog, "service");
  await expect(error).rejects.toThrow('rejects: database "nothing_by_this_name" does not exist.');
});

test("the error names a missing certificate file", async () => {
  const url = new URL(connectionString);
  url.searchParams.set("sslmode", "verify-full");
  url.searchParams.set("sslrootcert", "/nowhere/ca.pem");
  await expect(connectDatabase(getConfig(url, 30), silentLog, "service")).rejects.toThrow("/nowhere/ca.pem");
});

test.each(["require", "prefer", "verify-ca"])(
  "sslmode=%s verifies the server, as pg documents, without a warning",
  (mode) => {
    const url = new URL(
      String(parseConnection(`postgres://u:p%40@db/c?sslmode=${mode}&application_name=a`).connectionString),
    );
    expect(url.searchParams.get("sslmode")).toBe("verify-full");
    expect([url.password, url.searchParams.get("application_name")]).toEqual(["p%40", "a"]);
  },
);

test.each([
  "postgres://db/c",
  "postgres://db/c?sslmode=verify-full",
  "postgres://db/c?sslmode=no-verify",
  "postgres://db/c?sslmode=disable",
  "postgres://db/c?sslmode=require&uselibpqcompat=true",
])("%s is passed on unchanged", (url) => {
  expect(parseConnection(url)).toEqual({ connectionString: url });
});

describe.runIf(workerUrls.length > 0)("on Citus", () => {
  test("a worker is rejected instead of the coordinator", async () => {
    const url = databaseUrl(workerUrls[0] ?? "", name);
    const connecting = connectDatabase(getConfig(new URL(url), 0), silentLog, "command");
    await expect(connecting).rejects.toThrow("is a worker of a Citus cluster. Set DATABASE_URL to its coordinator.");
  });
});
