import { afterEach, expect, onTestFinished, test } from "vitest";
import { createToken, revokeToken } from "../../src/features/workspaces/workspaces.ts";
import { startServiceBehindProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { addActivities, readActivityIds, SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";

const { service, proxy } = await startServiceBehindProxy();

/** Restores the database and waits until the service is ready again. */
afterEach(async () => {
  proxy.restore();
  await eventually(async () => expect((await fetch(`${service.address}/readyz`)).status).toBe(200));
});

function read(workspace: TestWorkspace, headers: Record<string, string> = {}) {
  return workspace.call("/v2/activities/get", { organizationId: SCOPE.organizationId }, headers);
}

const LISTENERS = "pg_stat_activity where datname = current_database() and query ilike 'listen %' and state = 'idle'";

/** Resolves when the service listens for notifications, on a connection other than that of the backend `ended`. */
function listening(ended = 0): Promise<void> {
  return eventually(async () => {
    const { length: rowCount } = await runSql(service.database, `select from ${LISTENERS} and pid <> $1`, [ended]);
    expect(rowCount).toBe(1);
  });
}

/** Closes the connection on which the service listens for notifications. Returns the process ID of its backend. */
async function closeListener(): Promise<number | undefined> {
  const rows = await runSql<{ pid: number }>(
    service.database,
    `select pid, pg_terminate_backend(pid, 5000) from ${LISTENERS}`,
  );
  return rows[0]?.pid;
}

/** Creates a second auth token and makes the service cache it. */
async function cachedToken() {
  await listening();
  const workspace = await service.workspace();
  const token = { workspaceId: workspace.id, name: "second", expiresAt: undefined };
  const { tokenId, authToken } = await createToken(service.database, token);
  const headers = { "x-service-auth-token": authToken };
  expect(await read(workspace, headers)).toMatchObject({ httpStatus: 200 });
  return { tokenId, status: async () => (await read(workspace, headers)).httpStatus };
}

test("while the database is unavailable every request is UNAVAILABLE, HTTP 503, with Retry-After", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  proxy.cut();
  const filters = { organizationId: SCOPE.organizationId, activityIds: ["before"] };
  const calls = [
    workspace.call("/v1/organizations/get", {}),
    workspace.call("/v2/activities/get", filters),
    workspace.call("/v2/activities/delete", filters),
  ];
  for (const { httpStatus, headers, body } of await Promise.all(calls)) {
    expect(body).toMatchObject({ error: { status: "UNAVAILABLE", details: { reason: "database_unavailable" } } });
    expect(httpStatus).toBe(503);
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
});

test("the service works again when the database is back, without a restart, and has kept its records", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  proxy.cut();
  expect(await read(workspace)).toMatchObject({ httpStatus: 503 });
  proxy.restore();
  await eventually(() => addActivities(workspace, ["after"]));
  expect(await readActivityIds(workspace)).toEqual(["before", "after"]);
});

test("while the database is unavailable no API key or auth token is reported as invalid", async () => {
  const workspace = await service.workspace();
  proxy.cut();
  for (const headers of [{}, { "x-service-auth-token": "unknown" }, { "x-service-api-key": "unknown" }]) {
    expect(await read(workspace, headers)).toMatchObject({ httpStatus: 503 });
  }
});

test("the metrics say without any request whether the database can be read and written", async () => {
  const ready = async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text();
    return [...text.matchAll(/^colloquy_ready\{kind="(\w+)"\} (\d)$/gm)].map(([, kind, value]) => `${kind} ${value}`);
  };
  expect(await ready()).toEqual(["reading 1", "writing 1"]);
  proxy.cut();
  await eventually(async () => expect(await ready()).toEqual(["reading 0", "writing 0"]));
  proxy.restore();
  await eventually(async () => expect(await ready()).toEqual(["reading 1", "writing 1"]));
});

test("while the database is unavailable the process is alive and not ready", async () => {
  proxy.cut();
  const [health, readiness] = await Promise.all(["/healthz", "/readyz"].map((path) => fetch(service.address + path)));
  expect([health?.status, readiness?.status]).toEqual([200, 503]);
});

test("calls during the loss of the database are stored completely or not at all", async () => {
  const workspace = await service.workspace();
  const calls = Array.from({ length: 60 }, (_, index) => [`${index} first`, `${index} second`]);
  const statuses = calls.map(async (ids) => {
    const activities = ids.map((id) => ({ id, featureType: "crdt", actionType: "x", actionUser: { userId: "u" } }));
    const { httpStatus } = await workspace.call("/v2/activities/add", { ...SCOPE, activities });
    proxy.cut();
    return httpStatus;
  });
  const codes = await Promise.all(statuses);
  expect(new Set(codes)).toEqual(new Set([200, 503]));
  proxy.restore();
  const kept = new Set(await eventually(() => readActivityIds(workspace)));
  for (const [index, [first = "", second = ""]] of calls.entries()) {
    expect(kept.has(first)).toBe(kept.has(second));
    if (codes[index] === 200) expect(kept).toContain(first);
  }
});

test("a transaction during the loss of the database is UNAVAILABLE, and the process keeps running", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "contested", actionIcon: "old" }]);
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = service.database.transaction(async (transaction) => {
    await runSql(transaction, "lock table activities in share mode");
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const activities = [{ id: "contested", actionIcon: "new" }];
  const update = workspace.call("/v2/activities/update", { organizationId: SCOPE.organizationId, activities });
  await eventually(async () => {
    const { length: rowCount } = await runSql(service.database, "select from pg_locks where not granted");
    expect(rowCount).toBe(1);
  });
  proxy.cut();
  expect(await update).toMatchObject({ httpStatus: 503, body: { error: { status: "UNAVAILABLE" } } });
  release.resolve();
  await holding;
  proxy.restore();
  await eventually(async () => expect(await readActivityIds(workspace)).toEqual(["contested"]));
});

test("the service recovers after the database closes all connections, as in a restart", async () => {
  const workspace = await service.workspace();
  await Promise.all(Array.from({ length: 10 }, () => read(workspace)));
  await runSql(
    service.database,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await eventually(() => addActivities(workspace, ["after"]));
  expect(await readActivityIds(workspace)).toEqual(["after"]);
});

/** Makes the database read-only, as a standby is, or writable again. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const [row] = await runSql<{ name: string }>(service.database, "select current_database() as name");
  const setting = `${isReadOnly ? "set" : "reset"} default_transaction_read_only ${isReadOnly ? "= on" : ""}`;
  await runSql(service.database, `begin read write; alter database ${row?.name} ${setting}; commit`);
  await runSql(
    service.database,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

test("while the database is read-only, reads are served and the service is not ready", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["before"]);
  await setReadOnly(true);
  onTestFinished(() => setReadOnly(false));
  await eventually(async () => expect(await readActivityIds(workspace)).toEqual(["before"]));
  const filters = { organizationId: SCOPE.organizationId, activityIds: ["before"] };
  expect(await workspace.error("/v2/activities/delete", filters)).toMatchObject({
    httpStatus: 503,
    details: { reason: "database_read_only" },
  });
  await eventually(async () => {
    const readiness = await fetch(`${service.address}/readyz`);
    expect(readiness.status).toBe(503);
    const details = { reading: "ok", writing: "database_read_only" };
    expect(await readiness.json()).toMatchObject({ error: { details } });
  });
  await setReadOnly(false);
  await eventually(() => addActivities(workspace, ["after"]));
});

test("while revocation notifications can be missed, a cached token is checked again", async () => {
  const { tokenId, status } = await cachedToken();
  proxy.rejectNewConnections();
  await closeListener();
  await revokeToken(service.database, tokenId);
  await eventually(async () => expect(await status()).toBe(403));
});

test("a token that was revoked while the service did not listen is rejected afterwards", async () => {
  const { tokenId, status } = await cachedToken();
  const ended = await closeListener();
  await revokeToken(service.database, tokenId);
  await listening(ended);
  expect(await status()).toBe(403);
});

test("a service stops although its database is unavailable", async () => {
  const { address, stop } = await service.secondProcess();
  proxy.cut();
  await stop();
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
});
