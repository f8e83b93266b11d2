import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { activity, addActivities, readActivityIds, SCOPE } from "../factories.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";
import { readPostmasterPid, ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { getLog, getWorkers, onWorker } from "../worker-processes.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const BOOTSTRAP = { BOOTSTRAP_API_KEY: CREDENTIALS.apiKey, BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken };
const SECRET_KEY = "5".repeat(64);
const PROCESSES = "2";
const CALLERS_PER_WORKER = 4;

const { connectionString } = await createTestDatabase();
const ON_TEST_DATABASE = { DATABASE_URL: connectionString, SECRET_KEY, ...BOOTSTRAP, PROCESSES };

function start(environment: Record<string, string> = {}): ServiceProcess {
  return new ServiceProcess({ ...ON_TEST_DATABASE, ...environment });
}

function workspaceAt(address: string): TestWorkspace {
  return new TestWorkspace(address, { workspaceId: "", ...CREDENTIALS });
}

/** A caller with one connection, which adds an activity again and again. */
class Caller {
  readonly acknowledged: string[] = [];
  readonly errors: unknown[] = [];
  readonly #name: string;
  readonly #workspace: TestWorkspace;
  readonly #connection: RawConnection;

  private constructor(name: string, workspace: TestWorkspace, connection: RawConnection) {
    this.#name = name;
    this.#workspace = workspace;
    this.#connection = connection;
  }

  /** Opens the connection and makes a first call, which the worker that accepts the connection serves. */
  static async open(name: string, address: string): Promise<Caller> {
    const caller = new Caller(name, workspaceAt(address), await RawConnection.open(address));
    onTestFinished(() => void caller.#connection.socket.destroy());
    await caller.#add();
    return caller;
  }

  /** Adds activities until `isOver`, or until a call fails. */
  async call(isOver: () => boolean, onResponse: () => void): Promise<void> {
    while (!isOver() && this.errors.length === 0) {
      await this.#add();
      onResponse();
    }
  }

  async #add(): Promise<void> {
    const id = `${this.#name}.${this.acknowledged.length}`;
    const body = JSON.stringify({ data: { ...SCOPE, activities: [activity({ id })] } });
    try {
      await this.#connection.send(requestText("/v2/activities/add", this.#workspace.headers, body));
      const { httpStatus } = await this.#connection.respond();
      if (httpStatus === 200) this.acknowledged.push(id);
      else this.errors.push(httpStatus);
    } catch (error) {
      this.errors.push(error);
    }
  }
}

function openCallers(name: string, address: string): Promise<Caller[]> {
  return Promise.all(
    Array.from({ length: CALLERS_PER_WORKER }, (_, number) => Caller.open(`${name}.${number}`, address)),
  );
}

test("a worker killed under load loses nothing acknowledged, others go on, and another takes its place", async () => {
  const service = start();
  const address = await service.address();
  const workers = await getWorkers(service);
  expect(workers).toHaveLength(2);
  const [victim = 0, other = 0] = workers;
  const victims = await onWorker(victim, workers, () => openCallers("victim", address));
  const others = await onWorker(other, workers, () => openCallers("other", address));

  let responses = 0;
  let responsesAfterKill = 0;
  let isKilled = false;
  const killed = Promise.withResolvers<void>();
  function count(): void {
    if (isKilled) responsesAfterKill++;
    else if (++responses === 30 * CALLERS_PER_WORKER) {
      process.kill(victim, "SIGKILL");
      isKilled = true;
      killed.resolve();
    }
  }
  const callers = [...victims, ...others];
  const calling = Promise.all(callers.map((caller) => caller.call(() => responsesAfterKill > 200, count)));
  await killed.promise;
  // A new caller is served at once by the worker that is left.
  await addActivities(workspaceAt(address), ["after the kill"]);
  await calling;

  expect(others.flatMap(({ errors }) => errors)).toEqual([]);
  expect(victims.map(({ errors }) => errors.length)).toEqual(Array(CALLERS_PER_WORKER).fill(1));
  const kept = new Set(await readActivityIds(workspaceAt(address)));
  const acknowledged = callers.flatMap((caller) => caller.acknowledged);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);

  await service.waitForOutput(/"reason":"signal SIGKILL","msg":"a worker ended; the next starts in 100 ms"/);
  await service.waitForOutput(/"msg":"a worker has replaced one that ended"/);
  const [newcomer = 0] = (await getWorkers(service)).filter((pid) => pid !== other);
  expect(newcomer).not.toBe(victim);
  const later = await onWorker(newcomer, [newcomer, other], () => openCallers("later", address));
  expect(later.flatMap(({ errors }) => errors)).toEqual([]);
  expect(await service.terminate()).toBe(0);
});

test("a service that loses all workers at once serves again on its port, also with PORT=0", async () => {
  const service = start();
  const address = await service.address();
  await addActivities(workspaceAt(address), ["all killed, before"]);
  for (const worker of await getWorkers(service)) process.kill(worker, "SIGKILL");
  await service.waitForOutput(/("msg":"a worker has replaced one that ended"[\s\S]*){2}/);
  await addActivities(workspaceAt(address), ["all killed, after"]);
  expect((await readActivityIds(workspaceAt(address))).filter((id) => /^all killed/.test(id))).toEqual([
    "all killed, before",
    "all killed, after",
  ]);
  const workers = await getWorkers(service);
  expect(workers).toHaveLength(2);
  for (const worker of workers) await onWorker(worker, workers, () => openCallers(`of ${worker}`, address));
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toMatch(/^colloquy_worker_restarts_total 2$/m);
  expect(await service.terminate()).toBe(0);
});

test("/metrics sums all workers and keeps the counters of ended ones", async () => {
  const service = start();
  const address = await service.address();
  const workers = await getWorkers(service);
  const added = /^colloquy_request_duration_seconds_count\{operation="\/v2\/activities\/add",status="OK"\} (\d+)$/m;
  async function countAdds(): Promise<number> {
    const metrics = await (await fetch(`${address}/metrics`, { headers: { connection: "close" } })).text();
    return Number(added.exec(metrics)?.[1]);
  }
  for (const worker of workers) await onWorker(worker, workers, () => openCallers(`metrics ${worker}`, address));
  expect(await countAdds()).toBe(2 * CALLERS_PER_WORKER);
  process.kill(workers[0] ?? 0, "SIGKILL");
  await service.waitForOutput(/"msg":"a worker has replaced one that ended"/);
  expect(await countAdds()).toBe(2 * CALLERS_PER_WORKER);
});

test("REQUESTS_PER_SECOND holds for all workers together", async () => {
  const service = start({ REQUESTS_PER_SECOND: "50" });
  const address = await service.address();
  const workers = await getWorkers(service);
  const request = requestText("/v1/organizations/get", workspaceAt(address).headers, "{}");
  async function open(): Promise<() => Promise<number>> {
    const connection = await RawConnection.open(address);
    onTestFinished(() => void connection.socket.destroy());
    return async () => {
      await connection.send(request);
      return Number((await connection.respond()).headers.get("ratelimit-remaining"));
    };
  }
  const [busy = expect.fail(), other = expect.fail()] = workers;
  // Together they call more often than 50 times a second, also on a busy machine.
  const callsBusy = await onWorker(busy, workers, () => Promise.all(Array.from({ length: 8 }, open)));
  const callOther = await onWorker(other, workers, open);
  let isOver = false;
  const calling = callsBusy.map(async (call) => {
    while (!isOver) await call();
  });
  // A worker that did not hear of the others would report about 49, because it is asked only once in 50 ms.
  await eventually(async () => expect(await callOther()).toBeLessThan(25));
  isOver = true;
  await Promise.all(calling);
});

test("several processes print credentials, the start and the stop once, and share their secrets", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const service = new ServiceProcess({ DATA_DIR: dataDir, PROCESSES });
  const address = await service.address();
  const [, apiKey = "", authToken = ""] = await service.waitForOutput(
    /API key +(\S+)\n +Auth token +(\S+)\n[\s\S]*#[\w-]{43}\n/,
    "stderr",
  );
  const workspace = new TestWorkspace(address, { workspaceId: "", apiKey, authToken });
  await addActivities(workspace, ["one", "two", "three"]);
  const workers = await getWorkers(service);
  // A page token of one worker is valid at the other.
  const request = { organizationId: SCOPE.organizationId, pageSize: 1 };
  const [first = expect.fail(), second = expect.fail()] = workers;
  const { pageToken = "" } = await onWorker(first, workers, () => newCall(address, workspace.headers, request));
  const page = await onWorker(second, workers, () => newCall(address, workspace.headers, { ...request, pageToken }));
  expect(page).toMatchObject({ data: [{ id: "two" }] });

  expect(await service.terminate()).toBe(0);
  expect(service.stderr.match(/API key/g)).toHaveLength(1);
  // A process that waits long for another, that root has started, or whose folder is in memory says so.
  const isExpected = /^(waiting for a backup|The service runs as root)|Mount a volume/;
  const lines = getLog(service).filter(({ msg }) => !isExpected.test(`${msg}`));
  expect(lines.map(({ msg }) => msg)).toEqual([
    "starting",
    "listening",
    "API key and auth token of the first workspace are saved in this file",
    "stopping",
    "stopped",
  ]);
  expect(new Set(lines.map(({ pid }) => pid)).size).toBe(1);
  await expect(readPostmasterPid(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
});

/** Reads a page of activities over a new connection, which fetch may not open while it has one to a stopped worker. */
async function newCall(address: string, headers: Record<string, string>, request: object) {
  const connection = await RawConnection.open(address);
  await connection.send(requestText("/v2/activities/get", headers, JSON.stringify({ data: request })));
  const { body } = await connection.respond();
  connection.socket.destroy();
  return Object(body).result as { data: unknown[]; pageToken?: string };
}

test("a port that is taken is reported once, by one sentence", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void holder.close());
  await once(holder, "listening");
  const PORT = String(Object(holder.address()).port);
  const service = start({ PORT });
  expect(await service.ended).toBe(1);
  expect(service.stderr).toMatch(
    new RegExp(`^colloquy: Cannot listen on HOST 127.0.0.1 and PORT ${PORT} [^\n]*EADDRINUSE[^\n]*\\.\n$`),
  );
});

test("a start whose database is away serves /healthz, goes on once it is there, and logs attempts once", async () => {
  const proxy = await startDatabaseProxy(connectionString);
  proxy.cut();
  const service = start({ DATABASE_URL: proxy.url });
  const address = await service.address("starting");
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/readyz`)).status).toBe(503);
  await service.waitForOutput(/waiting for the database/);
  const waiting = getLog(service).filter(({ msg }) => msg.includes("waiting for the database"));
  expect(new Set(waiting.map(({ pid }) => pid)).size).toBe(1);
  proxy.restore();
  expect(await service.address()).toBe(address);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
});

test("SIGTERM ends a start that waits for its database, with exit code 0", async () => {
  const proxy = await startDatabaseProxy(connectionString);
  proxy.cut();
  const service = start({ DATABASE_URL: proxy.url });
  await service.waitForOutput(/waiting for the database/);
  expect(await service.terminate()).toBe(0);
  expect(service.stderr).toBe("");
});

test("a killed primary takes its workers with it, and the next start has what was acknowledged", async () => {
  const environment = { DATA_DIR: await temporaryDataDir({ isPostgresPrepared: true }), ...BOOTSTRAP, PROCESSES };
  const service = new ServiceProcess(environment);
  const address = await service.address();
  await addActivities(workspaceAt(address), ["before the kill"]);
  // Resolves when all processes that write to the output have ended.
  await service.terminate("SIGKILL");
  await expect(fetch(address)).rejects.toThrow();
  const next = new ServiceProcess({ ...environment, PORT: new URL(address).port });
  expect(await readActivityIds(workspaceAt(await next.address()))).toEqual(["before the kill"]);
  expect(await next.terminate()).toBe(0);
});

test("a worker that cannot start again is tried again until it can", async () => {
  const proxy = await startDatabaseProxy(connectionString);
  const service = start({ DATABASE_URL: proxy.url });
  const address = await service.address();
  const [victim = 0] = await getWorkers(service);
  proxy.cut();
  process.kill(victim, "SIGKILL");
  await service.waitForOutput(/"reason":"The database cannot be reached[^"]*","msg":"a worker ended/);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  proxy.restore();
  await service.waitForOutput(/"msg":"a worker has replaced one that ended"/);
  await eventually(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200));
});
