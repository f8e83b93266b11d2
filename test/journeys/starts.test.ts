import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findLostVolume } from "../../src/config/lost-volume.ts";
import { runCommand } from "../command-line.ts";
import { startDatabaseProxy } from "../database-proxy.ts";
import { addActivities, readActivityIds } from "../factories.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { readPostmasterPid, ServiceProcess, startInProcess, temporaryDataDir } from "../service-process.ts";
import { getToken, postToken } from "../sessions.ts";
import { longTest, size } from "../sizes.ts";

const SECRET_KEY = "5".repeat(64);
const SERVICES = size({ usual: 2, long: 10 });
const SENTENCE = /^colloquy: [^\n]+\.\n$/;
/** Pattern of the last line that a first start prints. */
const SIGN_IN_LINK = /^http:.*\/console\/sign-in#[\w-]{43}\n/m;

const bare = await createTestDatabase({ isBare: true });
const proxy = await startDatabaseProxy(bare.connectionString);

async function parseCredentials(dataDir: string): Promise<{ apiKey: string; authToken: string }> {
  return JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
}

async function paste(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)("sh", ["-c", command]);
  return JSON.parse(stdout);
}

/** Returns the output of `colloquy console` while the service runs. */
async function printLink(dataDir: string): Promise<string> {
  const { stdout } = await runCommand(["console"], { DATA_DIR: dataDir });
  return stdout.split("\n", 1)[0] ?? "";
}

function getLines({ stdout }: ServiceProcess): string[] {
  return stdout.trimEnd().split("\n");
}

// The tests run in this order, each on what the start before it has left.
describe("on an empty DATA_DIR", async () => {
  const dataDir = await temporaryDataDir();

  test("a start that fails because its port is taken prints one sentence and no credentials", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const PORT = String(Object(other.address()).port);
    const service = new ServiceProcess({ DATA_DIR: dataDir, PORT });
    expect(await service.ended).toBe(1);
    expect(service.stderr).toMatch(SENTENCE);
    expect(service.stderr).toContain(`Cannot listen on HOST 127.0.0.1 and PORT ${PORT}`);
  });

  test("the first start that succeeds prints key, token and working curl commands, and not in its log", async () => {
    const first = new ServiceProcess({ DATA_DIR: dataDir });
    const [link = ""] = await first.waitForOutput(SIGN_IN_LINK, "stderr");
    const { apiKey, authToken } = await parseCredentials(dataDir);
    expect((await stat(join(dataDir, "credentials.json"))).mode & 0o777).toBe(0o600);
    expect(first.stderr).toContain(`API key     ${apiKey}\n  Auth token  ${authToken}\n`);
    expect(first.stdout).not.toContain(authToken);

    const [add, get, ...others] = first.stderr.match(/^curl [\s\S]*?-d '.*'$/gm) ?? [];
    expect(others).toEqual([]);
    expect(await paste(String(add))).toMatchObject({ result: { status: "success" } });
    expect(await paste(String(get))).toMatchObject({ result: { data: [{ actionUser: { userId: "ada" } }] } });
    const address = await first.address();
    expect(link.startsWith(`${address}/console/sign-in#`)).toBe(true);
    for (const url of [link.trim(), await printLink(dataDir)]) {
      expect(await postToken(address, getToken(url))).toMatchObject({ httpStatus: 200 });
    }
    expect(await first.terminate()).toBe(0);
    expect(first.stdout).not.toContain(getToken(link.trim()));
    expect(first.stdout).not.toContain("migrations");
    for (const line of getLines(first)) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) });
  });

  describe("a later start", () => {
    const cache = join(dataDir, "compile-cache");
    let later: ServiceProcess;
    beforeAll(async () => {
      later = new ServiceProcess({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache });
      await later.address();
      return () => later.kill();
    });

    test("serves the data of earlier ones", async () => {
      const credentials = { workspaceId: "", ...(await parseCredentials(dataDir)) };
      const workspace = new TestWorkspace(await later.address(), credentials);
      expect(await workspace.data("/v2/activities/get", { organizationId: "acme" })).toHaveLength(1);
    });

    test("has saved its compile cache while it runs, so that it leaves the cache even if it is killed", async () => {
      const countFiles = async () => (await readdir(cache, { recursive: true })).length;
      await expect.poll(countFiles).toBeGreaterThan(500);
    });

    test("keeps running when a second service on its DATA_DIR fails with one sentence", async () => {
      const second = new ServiceProcess({ DATA_DIR: dataDir });
      expect(await second.ended).toBe(1);
      expect(second.stderr).toMatch(SENTENCE);
      expect(second.stderr).toContain(`DATA_DIR ${dataDir} is in use by another colloquy service`);
      const warnings = process.getuid?.() === 0 ? [expect.stringContaining("The service runs as root.")] : [];
      if (await findLostVolume(dataDir)) warnings.push(expect.stringContaining("Mount a volume at DATA_DIR"));
      expect(getLines(second).map((line) => JSON.parse(line).msg)).toEqual([...warnings, "starting"]);
      expect(await fetch(`${await later.address()}/readyz`)).toMatchObject({ status: 200 });
    });

    test("stops with its database when the terminal is closed (SIGHUP), and has printed no secret", async () => {
      expect(await later.terminate("SIGHUP")).toBe(0);
      await expect(readPostmasterPid(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
      const { apiKey, authToken } = await parseCredentials(dataDir);
      expect(later.stdout).toMatch(/"path":".*credentials\.json".* are saved in this file/);
      expect(later.stdout + later.stderr).not.toContain(apiKey);
      expect(later.stdout + later.stderr).not.toContain(authToken);
    });
  });
});

test(`${SERVICES} services can start at once on an empty database, and one creates the workspace`, async () => {
  const dataDir = await temporaryDataDir();
  const environment = { DATABASE_URL: bare.connectionString, DATABASE_POOL_MAX: "2", SECRET_KEY, DATA_DIR: dataDir };
  const services = await Promise.all(Array.from({ length: SERVICES }, () => startInProcess(environment)));
  const credentials = await parseCredentials(dataDir);
  const callers = services.map(({ address }) => new TestWorkspace(address, { workspaceId: "", ...credentials }));
  await Promise.all(callers.map((caller, number) => addActivities(caller, [`from ${number}`])));
  const ids = services.map((_, number) => `from ${number}`);
  for (const caller of callers) expect((await readActivityIds(caller)).toSorted()).toEqual(ids);
  const created = services.flatMap(({ firstCredentials }) => firstCredentials ?? []);
  expect(created).toEqual([expect.objectContaining(credentials)]);
});

longTest("SIGTERM ends a start that waits for its database at once, with exit code 0", async () => {
  proxy.cut();
  const service = new ServiceProcess({ DATABASE_URL: proxy.url, SECRET_KEY });
  await service.waitForOutput(/waiting for the database/);
  const begun = performance.now();
  expect(await service.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect(service.stdout).toMatch(/"msg":"stopped"\}\n$/);
  expect(service.stderr).toBe("");
});

test("a start whose database is away serves probes and callers, and goes on once it is there", async () => {
  proxy.cut();
  const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
  const service = new ServiceProcess({
    DATABASE_URL: proxy.url,
    SECRET_KEY,
    BOOTSTRAP_API_KEY: credentials.apiKey,
    BOOTSTRAP_AUTH_TOKEN: credentials.authToken,
  });
  const address = await service.address("starting");
  const workspace = new TestWorkspace(address, { workspaceId: "", ...credentials });
  const [health, readiness] = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(address + path)));
  expect([health?.status, readiness?.status]).toEqual([200, 503]);
  const { httpStatus, headers, body } = await workspace.call("/v2/activities/get", { organizationId: "acme" });
  expect(body).toMatchObject({ error: { status: "UNAVAILABLE", details: { reason: "starting" } } });
  expect([httpStatus, headers.get("retry-after")]).toEqual([503, "1"]);
  proxy.restore();
  expect(await service.address()).toBe(address);
  await addActivities(workspace, ["after the start"]);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
});

test("a start whose database stays away serves /healthz and ends with exit code 1 and one sentence", async () => {
  proxy.cut();
  const service = new ServiceProcess({ DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: "1", SECRET_KEY });
  expect((await fetch(`${await service.address("starting")}/healthz`)).status).toBe(200);
  expect(await service.ended).toBe(1);
  expect(service.stderr).toMatch(SENTENCE);
  expect(service.stderr).toContain("cannot be reached within 1 s (DATABASE_WAIT_SECONDS)");
});

test("HOST=localhost is reached at 127.0.0.1", async () => {
  const { address } = await startInProcess({ DATABASE_URL: bare.connectionString, HOST: "localhost", SECRET_KEY });
  const url = new URL("/healthz", address);
  url.hostname = "127.0.0.1";
  expect((await fetch(url)).status).toBe(200);
});
