import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { runSql } from "../run-sql.ts";

const READ = "/v2/activities/get";

test("requests beyond the limit are UNAVAILABLE at once, and earlier ones are answered", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 1 }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);

  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = service.database.transaction(async (transaction) => {
    await runSql(transaction, "lock table activities in access exclusive mode");
    locked();
    await isReleased;
  });
  await isLocked;
  const calls = [workspace.call(READ, SCOPE), workspace.call(READ, SCOPE)];
  const past = await Promise.race(calls);
  release();
  await holding;

  expect(past).toMatchObject({ httpStatus: 503, body: { error: { status: "UNAVAILABLE" } } });
  expect(past.headers.get("retry-after")).toBe("1");
  expect((await Promise.all(calls)).map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 503]);
  expect(await workspace.data(READ, SCOPE)).toMatchObject([{ id: "only" }]);
});

test("while the event loop is blocked operations are UNAVAILABLE, and the process is alive", async () => {
  const service = await startOwnTestService(() => ({ maxEventLoopDelayMs: 500 }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);

  const blocking = blockEventLoop();
  await expect
    .poll(() => workspace.call(READ, SCOPE))
    .toMatchObject({
      httpStatus: 503,
      body: { error: { status: "UNAVAILABLE" } },
    });
  expect(await fetch(`${service.address}/healthz`)).toMatchObject({ status: 200 });
  blocking.stop();
  await expect.poll(() => workspace.call(READ, SCOPE)).toMatchObject({ httpStatus: 200 });
});

/** Delays each turn of the event loop by more than the service tolerates, without using processor time. */
function blockEventLoop(): { stop(): void } {
  let isStopped = false;
  function turn(): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    if (!isStopped) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    stop() {
      isStopped = true;
    },
  };
}
