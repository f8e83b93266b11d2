import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { borrowEmbeddedDatabase } from "../../src/database/embedded.ts";
import { eventually } from "../eventually.ts";
import { silentLog } from "../harness.ts";
import { runQuery } from "../servers.ts";
import { ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { mountSmallDisk, whyNoSmallDisk } from "../small-disk.ts";

const SENTENCE = /colloquy: [^\n]+\n$/;
/** Sizes from one at which initdb fails to one at which the first start succeeds. */
const DISK_MEGABYTES = Array.from({ length: 15 }, (_, index) => 32 + index);
/** Times after the first line of log at which a start is asked to end: at steps of it from initdb on. */
const STOP_DELAYS_MS = [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000];
const PROCESSES = ["1", "2"];
const SLOW_TEST = { timeout: 300_000 };

/** Returns the command lines of the processes that have the directory in their command line or environment. */
async function findProcesses(directory: string): Promise<string[]> {
  const read = (path: string) => readFile(path, "utf8").catch(() => "");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = pids.map(async (pid) => {
    const [command = "", environment = ""] = await Promise.all(
      ["cmdline", "environ"].map((name) => read(`/proc/${pid}/${name}`)),
    );
    return (command + environment).includes(directory) ? [command.replaceAll("\0", " ")] : [];
  });
  return (await Promise.all(commands)).flat();
}

/** Expects the start to fail with a sentence, and nothing to run afterwards. */
async function expectFailure(service: ServiceProcess, directory: string, sentence = SENTENCE): Promise<void> {
  expect(await service.ended).toBe(1);
  expect(service.stderr).toMatch(sentence);
  expect(await findProcesses(directory)).toEqual([]);
}

/** Returns the connection string of the embedded database, which runs until the end of `work`. */
async function withEmbedded(dataDir: string, work: (url: string) => Promise<unknown>): Promise<void> {
  const { connection, stop } = await borrowEmbeddedDatabase({ dataDir, log: silentLog });
  const { user, database, host, port } = connection;
  await work(`postgresql://${user}@localhost:${port}/${database}?host=${host}`).finally(stop);
}

describe.each(PROCESSES)("of %s process(es), a start", (processes) => {
  const start = (environment: Record<string, string>) => new ServiceProcess({ PROCESSES: processes, ...environment });

  test.skipIf(whyNoSmallDisk()).each(DISK_MEGABYTES)(
    "on a disk of %i MB that is too small leaves nothing running",
    SLOW_TEST,
    async (megabytes) => {
      const { directory } = mountSmallDisk(megabytes);
      const service = start({ DATA_DIR: directory });
      await Promise.race([service.ended, service.address().catch(() => {})]);
      if (service.hasEnded) return expectFailure(service, directory);
      expect(await service.terminate()).toBe(0);
      expect(await findProcesses(directory)).toEqual([]);
    },
  );

  test("whose port is taken leaves nothing running", SLOW_TEST, async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const dataDir = await temporaryDataDir();
    const service = start({ DATA_DIR: dataDir, PORT: String(Object(other.address()).port) });
    await expectFailure(service, dataDir, /Cannot listen on/);
  });

  test("whose migrations fail leaves nothing running", SLOW_TEST, async () => {
    const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
    await withEmbedded(dataDir, (url) => runQuery(url, "create table workspaces (id int)"));
    await expectFailure(start({ DATA_DIR: dataDir }), dataDir, /workspaces/);
  });

  test("with a damaged key file leaves nothing running", SLOW_TEST, async () => {
    const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
    await writeFile(join(dataDir, "secret.key"), "5".repeat(63), { mode: 0o600 });
    await expectFailure(start({ DATA_DIR: dataDir }), dataDir, /secret\.key/);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s at any time leaves nothing running",
    SLOW_TEST,
    async (signal) => {
      for (const delayMs of STOP_DELAYS_MS) {
        const dataDir = await temporaryDataDir();
        const service = start({ DATA_DIR: dataDir });
        await service.waitForOutput(/"msg":"starting"/);
        await delay(delayMs);
        expect(await service.terminate(signal)).toBe(0);
        expect(await findProcesses(dataDir), `after ${delayMs} ms`).toEqual([]);
      }
    },
  );

  test("that is killed leaves no worker, and PostgreSQL to the next start, which stops it", SLOW_TEST, async () => {
    const dataDir = await temporaryDataDir();
    const killed = start({ DATA_DIR: dataDir });
    await eventually(() => readFile(join(dataDir, "postgres", "postmaster.pid")));
    await killed.terminate("SIGKILL");
    await eventually(async () => {
      const left = (await findProcesses(dataDir)).filter((command) => command.includes("main.js"));
      expect(left).toEqual([]);
    });
    const next = start({ DATA_DIR: dataDir });
    await next.address();
    expect(await next.terminate()).toBe(0);
    expect(await findProcesses(dataDir)).toEqual([]);
  });
});
