import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startDatabaseProxy } from "../database-proxy.ts";
import { addActivities, readActivityIds } from "../factories.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { readPostmasterPid, ServiceProcess, temporaryDataDir } from "../service-process.ts";
import { postToken, tokenOf } from "../sessions.ts";
import { size } from "../sizes.ts";

const SECRET_KEY = "5".repeat(64);
const PROCESSES = size({ usual: 4, long: 10 });
const SENTENCE = /^colloquy: [^\n]+\.\n$/;
/** Pattern of the last line that a first start prints. */
const SIGN_IN_LINK = /^http:.*\/console\/sign-in#[\w-]{43}\n/m;

const bare = await createTestDatabase({ isBare: true });
const proxy = await startDatabaseProxy(bare.connectionString);

async function credentialsOf(dataDir: string): Promise<{ apiKey: string; authToken: string }> {
  return JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
}

async function paste(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)("sh", ["-c", command]);
  return JSON.parse(stdout);
}

test("the first start prints key, token and working curl commands, and later starts print no secret", async () => {
  const dataDir = await temporaryDataDir();
  const first = new ServiceProcess({ DATA_DIR: dataDir });
  const [link = ""] = await first.waitForOutput(SIGN_IN_LINK, "stderr");
  const { apiKey, authToken } = await credentialsOf(dataDir);
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
    expect(await postToken(address, tokenOf(url))).toMatchObject({ httpStatus: 200 });
  }
  expect(await first.terminate()).toBe(0);
  expect(first.stdout).not.toContain(tokenOf(link.trim()));
  expect(first.stdout).not.toContain("migrations");
  for (const line of linesOf(first)) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) });

  const second = new ServiceProcess({ DATA_DIR: dataDir });
  await second.waitForOutput(/"path":".*credentials\.json".* are saved in this file/);
  const again = new TestWorkspace(await second.address(), { workspaceId: "", ...(await credentialsOf(dataDir)) });
  expect(await again.data("/v2/activities/get", { organizationId: "acme" })).toHaveLength(1);
  expect(await second.terminate()).toBe(0);
  expect(second.stdout + second.stderr).not.toContain(apiKey);
  expect(second.stdout + second.stderr).not.toContain(authToken);
});

/** Returns the output of `colloquy console` while the service runs. */
async function printLink(dataDir: string): Promise<string> {
  const main = fileURLToPath(new URL("../../src/main.js", import.meta.url));
  const env = { PATH: String(process.env.PATH), DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [main, "console"], { env, cwd: dataDir });
  return stdout.split("\n", 1)[0] ?? "";
}

function linesOf({ stdout }: ServiceProcess): string[] {
  return stdout.trimEnd().split("\n");
}

test("a start that fails because its port is taken creates no workspace; the next prints credentials", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const PORT = String(Object(other.address()).port);
  const first = new ServiceProcess({ DATA_DIR: dataDir, PORT });
  expect(await first.ended).toBe(1);
  expect(first.stderr).toMatch(SENTENCE);
  expect(first.stderr).toContain(`Cannot listen on HOST 127.0.0.1 and PORT ${PORT}`);
  const second = new ServiceProcess({ DATA_DIR: dataDir });
  await second.waitForOutput(SIGN_IN_LINK, "stderr");
  expect(second.stderr).toContain((await credentialsOf(dataDir)).authToken);
});

test("closing the terminal (SIGHUP) stops the service and its database", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const service = new ServiceProcess({ DATA_DIR: dataDir });
  await service.address();
  expect(await service.terminate("SIGHUP")).toBe(0);
  await expect(readPostmasterPid(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a second service on the same DATA_DIR fails with one sentence, and the first keeps running", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const first = new ServiceProcess({ DATA_DIR: dataDir });
  const address = await first.address();
  const second = new ServiceProcess({ DATA_DIR: dataDir });
  expect(await second.ended).toBe(1);
  expect(second.stderr).toMatch(SENTENCE);
  expect(second.stderr).toContain(`DATA_DIR ${dataDir} is in use by another colloquy service`);
  expect(second.stdout).toBe("");
  expect(await fetch(`${address}/readyz`)).toMatchObject({ status: 200 });
});

test(`${PROCESSES} processes can start at once on an empty database, and one creates the workspace`, async () => {
  const dataDir = await temporaryDataDir();
  const environment = { DATABASE_URL: bare.connectionString, DATABASE_POOL_MAX: "2", SECRET_KEY, DATA_DIR: dataDir };
  const processes = Array.from({ length: PROCESSES }, () => new ServiceProcess(environment));
  const addresses = await Promise.all(processes.map((process) => process.address()));
  const credentials = await credentialsOf(dataDir);
  const callers = addresses.map((address) => new TestWorkspace(address, { workspaceId: "", ...credentials }));
  await Promise.all(callers.map((caller, number) => addActivities(caller, [`from ${number}`])));
  const ids = processes.map((_, number) => `from ${number}`);
  for (const caller of callers) expect((await readActivityIds(caller)).toSorted()).toEqual(ids);
  const firsts = processes.filter(({ stderr }) => stderr !== "");
  expect(firsts).toHaveLength(1);
  expect(firsts[0]?.stderr).toContain(credentials.authToken);
});

test("a start retries a database that is down, logs each attempt, and fails after the time limit", async () => {
  proxy.cut();
  const service = new ServiceProcess({ DATABASE_URL: proxy.url, DATABASE_WAIT_SECONDS: "1", SECRET_KEY });
  expect(await service.ended).toBe(1);
  for (const line of linesOf(service))
    expect(line).toMatch(/"level":40,.*"msg":"waiting for the database .* for 1 s more: /);
  expect(service.stderr).toMatch(SENTENCE);
  expect(service.stderr).toContain("cannot be reached within 1 s (DATABASE_WAIT_SECONDS)");
});

test("SIGTERM ends a start that waits for its database at once, with exit code 0", async () => {
  proxy.cut();
  const service = new ServiceProcess({ DATABASE_URL: proxy.url, SECRET_KEY });
  await service.waitForOutput(/waiting for the database/);
  const begun = performance.now();
  expect(await service.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect(service.stdout).toMatch(/"msg":"stopped"\}\n$/);
  expect(service.stderr).toBe("");
});

test("a killed service leaves its compile cache to the next start", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const cache = join(dataDir, "compile-cache");
  const service = new ServiceProcess({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache });
  await service.address();
  const files = async () => (await readdir(cache, { recursive: true })).length;
  await expect.poll(files).toBeGreaterThan(500);
  await service.kill();
});
