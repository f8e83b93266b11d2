import { readdir, readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createToken, revokeToken } from "../../src/features/workspaces/workspaces.ts";
import { startService } from "../../src/service/service.ts";
import { startServiceBehindProxy } from "../database-proxy.ts";
import { BEFORE_CACHE_EXPIRY, eventually } from "../eventually.ts";
import { addActivities, readActivityIds, SCOPE } from "../factories.ts";
import { silentLog, TestWorkspace } from "../harness.ts";
import { readPostmasterPid, temporaryDataDir } from "../service-process.ts";
import { deleteUserData, deleteUserDataAndWait, untilDeletionDone } from "../user-data.ts";

/** Time within which every request gets a response while the database is silent. */
const RESPONSE_LIMIT_MS = 12_000;
/** Time within which requests are rejected without waiting for the database, on a busy machine too. */
const REJECTION_LIMIT_MS = 4_000;
/** Twice the time that the recovery and the fallback may take, because the machine may be busy. */
const BUSY_LIMIT_MS = 4_000;
/** The name of a connection of the pool, not of the one that listens. */
const POOL_CONNECTION = "application_name\0colloquy ";

const { service, proxy } = await startServiceBehindProxy();

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; durationMs: number }> {
  const begun = performance.now();
  return { result: await work, durationMs: performance.now() - begun };
}

/** Sends requests of each kind: more than the pool has connections. */
function callAll(workspace: TestWorkspace) {
  const { organizationId } = SCOPE;
  const activity = { id: "new", featureType: "crdt", actionType: "x", actionUser: { userId: "u" } };
  return [
    workspace.call("/v2/activities/get", { organizationId }),
    workspace.call("/v2/activities/add", { ...SCOPE, activities: [activity] }),
    workspace.call("/v2/activities/add", { organizationId, documentId: "other", activities: [activity] }),
    workspace.call("/v2/activities/update", { organizationId, activities: [{ id: "before", actionIcon: "new" }] }),
    workspace.call("/v2/activities/delete", { organizationId, activityIds: ["before"] }),
    workspace.call("/v1/users/data/delete", { userIds: ["u"] }),
    workspace.call("/v1/organizations/get", {}),
    workspace.call("/v2/presence/get", SCOPE),
  ].map((call) => timed(call));
}

/** Checks that a database which stops responding delays no request by more than 12 s, and later requests not at all. */
async function expectNoWait(address: string, workspace: TestWorkspace): Promise<void> {
  for (const { result, durationMs } of await Promise.all(callAll(workspace))) {
    expect(result.body).toMatchObject({
      error: { status: "UNAVAILABLE", details: { reason: "database_unavailable" } },
    });
    expect(durationMs).toBeLessThan(RESPONSE_LIMIT_MS);
  }
  for (const { result, durationMs } of await Promise.all(callAll(workspace))) {
    expect(result).toMatchObject({ httpStatus: 503 });
    expect(durationMs).toBeLessThan(REJECTION_LIMIT_MS);
  }
  const probes = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(address + path)));
  expect(probes.map(({ status }) => status)).toEqual([200, 503]);
}

test("while all packets to the database are lost every request gets a response, and then all goes on", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  const { jobId } = await deleteUserData(workspace, ["queued before"]);
  proxy.swallow();
  await expectNoWait(service.address, workspace);
  proxy.restore();
  const { durationMs } = await timed(eventually(() => readActivityIds(workspace)));
  expect(durationMs).toBeLessThan(BUSY_LIMIT_MS);
  await addActivities(workspace, ["after"]);
  await deleteUserDataAndWait(workspace, ["queued after"]);
  await untilDeletionDone(workspace, jobId);
});

test("while some connections are dead and the database responds on others, every request gets a response", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  // All are open, since a statement in the background may use one of them.
  const openConnections = async () => {
    await Promise.all(callAll(workspace));
    return proxy.countOpen(POOL_CONNECTION);
  };
  await expect.poll(openConnections).toBe(service.config.databasePoolMax);
  proxy.swallowConnectionsThatSent(POOL_CONNECTION);
  const responses = await Promise.all(callAll(workspace));
  for (const { durationMs } of responses) expect(durationMs).toBeLessThan(RESPONSE_LIMIT_MS);
  expect(responses.map(({ result }) => result.httpStatus)).toContain(503);
  await eventually(() => readActivityIds(workspace));
  await addActivities(workspace, ["after"]);
});

test("a token is rejected soon after its revocation although the notifications of it are lost", async () => {
  const workspace = await service.workspace();
  const token = { workspaceId: workspace.id, name: "second", expiresAt: undefined };
  const { tokenId, authToken } = await createToken(service.database, token);
  const read = () => workspace.call("/v1/organizations/get", {}, { "x-service-auth-token": authToken });
  expect(await read()).toMatchObject({ httpStatus: 200 });
  proxy.swallowConnectionsThatSent("listen ");
  await revokeToken(service.database, tokenId);
  const rejected = expect.poll(async () => (await read()).httpStatus, BEFORE_CACHE_EXPIRY).toBe(403);
  const { durationMs } = await timed(rejected);
  expect(durationMs).toBeLessThan(BUSY_LIMIT_MS);
});

/** Returns the process IDs of a PostgreSQL server: the postmaster and its children. */
async function serverProcesses(dataDir: string): Promise<number[]> {
  const postmaster = await readPostmasterPid(dataDir);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
    }),
  );
  return [postmaster, ...pids.filter((_, index) => parents[index] === postmaster)];
}

function signalAll(pids: number[], signal: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids) process.kill(pid, signal);
}

test.skipIf(process.platform !== "linux")(
  "while the processes of PostgreSQL are stopped every request gets a response, and their return is noticed",
  async () => {
    const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
    const config = readConfig({
      NODE_ENV: "test",
      PORT: "0",
      DATA_DIR: await temporaryDataDir({ isPostgresPrepared: true }),
      BOOTSTRAP_API_KEY: credentials.apiKey,
      BOOTSTRAP_AUTH_TOKEN: credentials.authToken,
    });
    const { address, stop } = await startService(config, silentLog);
    onTestFinished(stop);
    const workspace = new TestWorkspace(address, { workspaceId: "", ...credentials });
    await addActivities(workspace, ["before"]);
    const pids = await serverProcesses(config.dataDir);
    expect(pids.length).toBeGreaterThan(5);
    signalAll(pids, "SIGSTOP");
    let isStopped = true;
    onTestFinished(() => {
      if (isStopped) signalAll(pids, "SIGCONT");
    });
    await expectNoWait(address, workspace);
    signalAll(pids, "SIGCONT");
    isStopped = false;
    const { durationMs } = await timed(eventually(() => readActivityIds(workspace)));
    expect(durationMs).toBeLessThan(BUSY_LIMIT_MS);
    await addActivities(workspace, ["after"]);
  },
);
