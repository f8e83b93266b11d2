import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/service/service.ts";
import { eventually } from "../eventually.ts";
import { addActivities, readActivityIds, SCOPE } from "../factories.ts";
import { silentLog, startOwnTestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";
import { runSql } from "../run-sql.ts";
import { npmRun, readPostmasterPid, ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { longTest, size } from "../sizes.ts";

const service = await startOwnTestService();

/** Values of PROCESSES. Several processes end as one does, each by the steps of its own. */
const PROCESS_COUNTS = ["1", "2"];
/** Scripts that start the service. `npm run dev` watches the files in addition. */
const SCRIPTS = size({ usual: ["start"], long: ["start", "dev"] });

/** Blocks every write to activities until `release`. */
async function blockWrites() {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = service.database.transaction(async (transaction) => {
    await runSql(transaction, "lock table activities in share mode");
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  return {
    release() {
      release.resolve();
      return transaction;
    },
    oneIsBlocked: () =>
      eventually(async () => {
        const { length: rowCount } = await runSql(service.database, "select from pg_locks where not granted");
        expect(rowCount).toBe(1);
      }),
  };
}

test("a stop finishes the requests in progress and does not wait for idle connections", async () => {
  const [workspace, { address, stop }, writes] = await Promise.all([
    service.workspace(),
    service.secondProcess(),
    blockWrites(),
  ]);
  const response = addActivities(workspace.at(address), ["in progress"]);
  await writes.oneIsBlocked();
  const begun = performance.now();
  const stopped = stop();
  await writes.release();
  expect(await response).toMatchObject({ success: true });
  await stopped;
  // A stop that waited for idle connections would close them after 7 s.
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(await readActivityIds(workspace)).toEqual(["in progress"]);
});

test("a stop takes less than 10 s even if a client never finishes its request", async () => {
  const [workspace, { address, stop }] = await Promise.all([service.workspace(), service.secondProcess()]);
  const client = await RawConnection.open(address);
  onTestFinished(() => void client.socket.destroy());
  await client.send(requestText("/v2/activities/add", { ...workspace.headers, "content-length": "100" }, "{"));
  await expect(fetch(`${address}/healthz`)).resolves.toMatchObject({ status: 200 });
  const begun = performance.now();
  await stop();
  expect(performance.now() - begun).toBeLessThan(10_000);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});

test("a stop with nothing to do does not wait for connections that are idle, silent or amid the headers", async () => {
  const { address, stop } = await service.secondProcess();
  const connections = await Promise.all(Array.from({ length: 3 }, () => RawConnection.open(address)));
  onTestFinished(() => connections.forEach(({ socket }) => void socket.destroy()));
  const [, idle = expect.fail(), unfinished = expect.fail()] = connections;
  await unfinished.send("POST /v2/act");
  await idle.send(requestText("/v1/organizations/get", {}, "{}"));
  expect(await idle.respond()).toMatchObject({ httpStatus: 403 });
  const begun = performance.now();
  await stop();
  // A stop takes a third of a second, and several times as long on a busy machine.
  expect(performance.now() - begun).toBeLessThan(2_500);
});

test("responses during a stop have Connection: close, also those to requests on an open connection", async () => {
  const [workspace, { address, stop }, writes] = await Promise.all([
    service.workspace(),
    service.secondProcess(),
    blockWrites(),
  ]);
  const [running, late] = await Promise.all([RawConnection.open(address), RawConnection.open(address)]);
  onTestFinished(() => [running, late].forEach(({ socket }) => void socket.destroy()));
  const activity = { id: "in progress", featureType: "crdt", actionType: "x", actionUser: { userId: "u" } };
  const add = JSON.stringify({ data: { ...SCOPE, activities: [activity] } });
  await running.send(requestText("/v2/activities/add", workspace.headers, add));
  await writes.oneIsBlocked();
  const stopped = stop();
  await late.send(requestText("/v1/organizations/get", workspace.headers, "{}"));
  const response = await late.respond();
  expect(response).toMatchObject({ httpStatus: 200, body: { result: { status: "success" } } });
  expect(response.headers.get("connection")).toBe("close");
  await writes.release();
  expect((await running.respond()).headers.get("connection")).toBe("close");
  await stopped;
  expect(await readActivityIds(workspace)).toEqual(["in progress"]);
});

const KEEP_ALIVE_CLIENTS = 32;
/** Half of the time for which a service that stops waits for requests in transit. */
const STALL_MS = 50;
const stalls = monitorEventLoopDelay({ resolution: 10 });

/** Returns whether a client met the end: the port is closed, or it was too slow to send its next request before. */
function isEnd({ code }: Error & { code?: string }): boolean {
  return code === "ECONNREFUSED" || (code === "ECONNRESET" && stalls.max / 1e6 > STALL_MS);
}

/** Calls on one connection until the service rejects a new one. Returns how many calls succeeded. */
async function callUntilRejected(
  url: string,
  headers: Record<string, string>,
  onResponse: () => void,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let responses = 0; ; responses++) {
      const status = await new Promise((resolve, reject) => {
        request(
          url,
          { agent, headers: { ...headers, "content-type": "application/json" }, method: "POST" },
          (response) => response.resume().on("end", () => resolve(response.statusCode)),
        )
          .on("error", (error) => (isEnd(error) ? resolve(0) : reject(error)))
          .end("{}");
      });
      if (status === 0) return responses;
      expect(status).toBe(200);
      onResponse();
    }
  } finally {
    agent.destroy();
  }
}

test.each(size({ usual: ["2"], long: PROCESS_COUNTS }))(
  `SIGTERM resets none of ${KEEP_ALIVE_CLIENTS} clients that call %s processes`,
  async (PROCESSES) => {
    const workspace = await service.workspace();
    const { databaseUrl = "" } = service.config;
    const process = new ServiceProcess({ DATABASE_URL: databaseUrl, SECRET_KEY: "5".repeat(64), PROCESSES });
    const url = `${await process.address()}/v1/organizations/get`;
    const busy = Promise.withResolvers<void>();
    let responses = 0;
    const clients = Array.from({ length: KEEP_ALIVE_CLIENTS }, () =>
      callUntilRejected(url, workspace.headers, () => ++responses > 20 * KEEP_ALIVE_CLIENTS && busy.resolve()),
    );
    await Promise.race([busy.promise, ...clients]);
    stalls.reset();
    stalls.enable();
    onTestFinished(() => void stalls.disable());
    expect(await process.terminate()).toBe(0);
    for (const completed of await Promise.all(clients)) expect(completed).toBeGreaterThan(0);
  },
);

test.each(size({ usual: ["1"], long: PROCESS_COUNTS }))(
  "the first SIGTERM lets requests in progress finish, and a second ends %s processes at once",
  async (PROCESSES) => {
    const workspace = await service.workspace();
    const { databaseUrl = "" } = service.config;
    const process = new ServiceProcess({ DATABASE_URL: databaseUrl, SECRET_KEY: "5".repeat(64), PROCESSES });
    const address = await process.address();
    const writes = await blockWrites();
    const response = addActivities(workspace.at(address), ["in progress"]).catch((error: Error) => error);
    await writes.oneIsBlocked();
    const ended = process.terminate();
    await eventually(() => expect(fetch(`${address}/healthz`)).rejects.toThrow());
    await writes.oneIsBlocked();
    expect(process.hasEnded).toBe(false);
    // A signal within half a second after the first counts as the same one.
    await eventually(() => {
      void process.terminate();
      expect(process.hasEnded).toBe(true);
    });
    expect(await ended).toBe(1);
    expect(process.stderr).toBe("colloquy: Ended at once by a second signal.\n");
    expect(await response).toBeInstanceOf(Error);
    await writes.release();
  },
);

test("a stopped service accepts no request, and other processes read what was written through it", async () => {
  const [workspace, { address, stop }] = await Promise.all([service.workspace(), service.secondProcess()]);
  await addActivities(workspace.at(address), ["before"]);
  await stop();
  await expect(
    workspace.at(address).call("/v2/activities/get", { organizationId: SCOPE.organizationId }),
  ).rejects.toThrow();
  expect(await readActivityIds(workspace)).toEqual(["before"]);
});

test("a start on a port that is taken stops with a sentence that names the port", async () => {
  const port = Number(new URL(service.address).port);
  const error = startService({ ...service.config, port }, silentLog);
  await expect(error).rejects.toThrow(`Cannot listen on HOST 127.0.0.1 and PORT ${port} (listen EADDRINUSE`);
});

describe("the service that npm runs, with its PostgreSQL", () => {
  async function startByNpm(script: string) {
    const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
    const npm = new ServiceProcess({ DATA_DIR: dataDir }, npmRun(script));
    return { npm, dataDir, address: await npm.address() };
  }

  test.each(SCRIPTS)("has ended when `npm run %s` ends after SIGTERM", async (script) => {
    const { npm, dataDir, address } = await startByNpm(script);
    expect(await npm.terminate()).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
    await expect(readPostmasterPid(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
  });

  longTest.each(SCRIPTS)("ends after `npm run %s` was killed", async (script) => {
    const { npm, dataDir, address } = await startByNpm(script);
    await npm.terminate("SIGKILL");
    expect(npm.stdout).toContain('"reason":"npm has ended","msg":"stopping"');
    await expect(fetch(address)).rejects.toThrow();
    await expect(readPostmasterPid(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
