import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService, type TestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";
import { runSql } from "../run-sql.ts";
import { callWith, claimsFor, signClaims } from "../user-tokens.ts";

const READ = "/v2/activities/get";
const OVERLOADED = { httpStatus: 503, body: { error: { status: "UNAVAILABLE", details: { reason: "overloaded" } } } };

/** Keeps requests that read a table in progress until `release` is called. */
async function lockTable({ database }: TestService, table: string): Promise<{ release(): Promise<void> }> {
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
    maxConcurrentRequests: 1,
    limits: { ...limits, admission: { maxWaiting: 10, maxWaitMs: 100 } },
  }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);
  const reads = await lockTable(service, "activities");
  const calls = [workspace.call(READ, SCOPE), workspace.call(READ, SCOPE)];
  const rejected = await Promise.race(calls);
  expect(rejected).toMatchObject(OVERLOADED);
  expect(rejected.headers.get("retry-after")).toBe("1");
  expect(rejected.headers.get("connection")).toBe("keep-alive");
  expect(await fetch(`${service.address}/healthz`)).toMatchObject({ status: 200 });
  expect(await (await fetch(`${service.address}/metrics`)).text()).toContain("colloquy_overload_rejections_total 1\n");
  await reads.release();
  expect((await Promise.all(calls)).map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 503]);
  expect(await workspace.data(READ, SCOPE)).toMatchObject([{ id: "only" }]);
});

test("a client that disconnects before it is known takes no place among the requests in progress", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 1 }));
  const workspace = await service.workspace();
  const { release } = await lockTable(service, "auth_tokens");
  const client = await RawConnection.open(service.address);
  await client.send(requestText(READ, workspace.headers, JSON.stringify({ data: SCOPE })));
  await eventually(async () => {
    expect(await runSql(service.database, "select from pg_locks where not granted")).toHaveLength(1);
  });
  client.socket.destroy();
  // The service notices the end before it serves what comes later.
  for (let call = 0; call < 3; call++) await fetch(`${service.address}/healthz`);
  await release();
  expect(await workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
});

test("a request past the limit is served once others have ended", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 2 }));
  const workspace = await service.workspace();
  const reads = await lockTable(service, "activities");
  const calls = Array.from({ length: 20 }, () => workspace.call(READ, SCOPE));
  await reads.release();
  for (const response of await Promise.all(calls)) expect(response).toMatchObject({ httpStatus: 200 });
});

/** A read by a statement of its own. */
const LONG_PAGE = { ...SCOPE, pageSize: 1_000 };

/** Resolves when so many statements wait for a lock. */
function untilLocked(service: TestService, count: number): Promise<void> {
  return eventually(async () => {
    expect(await runSql(service.database, "select from pg_locks where not granted")).toHaveLength(count);
  });
}

test("a lone caller may use all places and all database connections", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 4, databasePoolMax: 4 }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);
  const { release } = await lockTable(service, "activities");
  const calls = Array.from({ length: 4 }, () => workspace.call(READ, LONG_PAGE));
  await untilLocked(service, 4);
  await release();
  for (const response of await Promise.all(calls)) expect(response).toMatchObject({ httpStatus: 200 });
});

/** Number of calls of the flood, of which the first is in progress. */
const FLOOD = 20;

test.each(["workspace", "user"])("a flood of one caller does not delay another %s", async (kind) => {
  const service = await startOwnTestService(({ limits }) => ({
    maxConcurrentRequests: 1,
    limits: { ...limits, admission: { maxWaiting: FLOOD - 1, maxWaitMs: 60_000 } },
  }));
  const [flooding, other] = [await service.workspace(), await service.workspace()];
  await addActivities(flooding, ["only"]);
  await addActivities(other, ["only"]);
  const token = await signClaims(flooding.apiKey, claimsFor(flooding, "ada"));
  const callOther = () =>
    kind === "user" ? callWith(token, `${service.address}${READ}`, LONG_PAGE) : other.call(READ, LONG_PAGE);
  expect(await callOther()).toMatchObject({ httpStatus: 200 });
  const { release } = await lockTable(service, "activities");
  const flood = Array.from({ length: FLOOD }, () => flooding.call(READ, LONG_PAGE));
  await untilLocked(service, 1);
  const completed: string[] = [];
  const calls = flood.map((call) => call.then(() => completed.push("flood")));
  calls.push(callOther().then(() => completed.push("other")));
  // The call past those that may wait makes the service reject the oldest, which shows that all have arrived.
  expect(await Promise.race(flood)).toMatchObject(OVERLOADED);
  await release();
  await Promise.all(calls);
  expect(completed.indexOf("other")).toBeLessThan(FLOOD / 2);
});
