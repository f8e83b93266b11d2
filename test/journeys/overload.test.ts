import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService, type TestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";
import { runSql } from "../run-sql.ts";

const READ = "/v2/activities/get";
const OVERLOADED = { httpStatus: 503, body: { error: { status: "UNAVAILABLE", details: { reason: "overloaded" } } } };

/** Keeps requests that read a table in progress until `release` is called. */
async function holdTable({ database }: TestService, table: string): Promise<{ release(): Promise<void> }> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = database.transaction(async (transaction) => {
    await runSql(transaction, `lock table ${table} in access exclusive mode`);
    locked();
    await isReleased;
  });
  await isLocked;
  return {
    release() {
      release();
      return holding;
    },
  };
}

test("a request past the limit waits, and is UNAVAILABLE if nothing ends in time", async () => {
  const service = await startOwnTestService(({ limits }) => ({
    maxConcurrentRequests: 2,
    limits: { ...limits, admission: { maxWaiting: 10, maxWaitMs: 100 } },
  }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);
  const reads = await holdTable(service, "activities");
  const calls = [workspace.call(READ, SCOPE), workspace.call(READ, SCOPE)];
  const refused = await Promise.race(calls);
  expect(refused).toMatchObject(OVERLOADED);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("connection")).toBe("keep-alive");
  expect(await fetch(`${service.address}/healthz`)).toMatchObject({ status: 200 });
  await reads.release();
  expect((await Promise.all(calls)).map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 503]);
  expect(await workspace.data(READ, SCOPE)).toMatchObject([{ id: "only" }]);
});

test("requests that the server cannot handle yet wait in front of it, by caller, and are refused in time", async () => {
  const service = await startOwnTestService(({ limits }) => ({
    maxConcurrentRequests: 2,
    limits: {
      ...limits,
      gate: { maxWaiting: 10, maxWaitMs: 100 },
      admission: { maxWaiting: 10, maxWaitMs: 60_000 },
    },
  }));
  const [flooding, other] = [await service.workspace(), await service.workspace()];
  await addActivities(flooding, ["only"]);
  const { release } = await holdTable(service, "activities");
  const calls = [flooding.call(READ, SCOPE), flooding.call(READ, SCOPE), flooding.call(READ, SCOPE)];
  const refused = await Promise.race(calls);
  expect(refused).toMatchObject(OVERLOADED);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("connection")).toBe("keep-alive");
  expect(await other.call("/v2/workspace/domains/get", {})).toMatchObject({ httpStatus: 200 });
  expect(await fetch(`${service.address}/healthz`)).toMatchObject({ status: 200 });
  expect(await (await fetch(`${service.address}/metrics`)).text()).toContain("colloquy_overload_refusals_total 1\n");
  await release();
  expect((await Promise.all(calls)).map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 200, 503]);
});

test("a client that disconnects before it is known takes no place among the requests in progress", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 1 }));
  const workspace = await service.workspace();
  const { release } = await holdTable(service, "auth_tokens");
  const client = await RawConnection.open(service.address);
  await client.send(requestText(READ, workspace.headers, JSON.stringify({ data: SCOPE })));
  await eventually(async () => {
    expect(await runSql(service.database, "select from pg_locks where not granted")).toHaveLength(1);
  });
  client.socket.destroy();
  // The service notices the end before it answers what comes later.
  for (let call = 0; call < 3; call++) await fetch(`${service.address}/healthz`);
  await release();
  expect(await workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
});

test("a request past the limit is answered once others have ended", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 2 }));
  const workspace = await service.workspace();
  const reads = await holdTable(service, "activities");
  const calls = Array.from({ length: 20 }, () => workspace.call(READ, SCOPE));
  await reads.release();
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ httpStatus: 200 });
});

test("a workspace with more requests than all places leaves half of the places to others", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 4 }));
  const [flooding, other] = [await service.workspace(), await service.workspace()];
  const reads = await holdTable(service, "activities");
  const flood = Array.from({ length: 20 }, () => flooding.call(READ, SCOPE));
  expect(await other.call("/v2/workspace/domains/get", {})).toMatchObject({ httpStatus: 200 });
  await reads.release();
  for (const answer of await Promise.all(flood)) expect(answer).toMatchObject({ httpStatus: 200 });
});

test("a workspace whose reads take long leaves half of the database connections to others", async () => {
  const service = await startOwnTestService(() => ({ databasePoolMax: 4 }));
  const [flooding, other] = [await service.workspace(), await service.workspace()];
  const reads = await holdTable(service, "activities");
  // Pages of this size are read by statements of their own.
  const flood = Array.from({ length: 20 }, () => flooding.call(READ, { ...SCOPE, pageSize: 1_000 }));
  await eventually(async () => {
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    expect(metrics).toContain('colloquy_database_connections{state="waiting"} 18\n');
  });
  expect(await other.call("/v2/workspace/domains/get", {})).toMatchObject({ httpStatus: 200 });
  await reads.release();
  for (const answer of await Promise.all(flood)) expect(answer).toMatchObject({ httpStatus: 200 });
});
