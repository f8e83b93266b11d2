import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { runText } from "../run-text.ts";

const READ = "/v2/activities/get";

test("past the limit of requests in progress new ones get UNAVAILABLE at once, those before their answer", async () => {
  const service = await startOwnTestService(() => ({ maxConcurrentRequests: 1 }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);

  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const holding = service.database.transaction(async (transaction) => {
    await runText(transaction, "lock table activities in access exclusive mode");
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

test("while the event loop is blocked operations get UNAVAILABLE, and the process says that it lives", async () => {
  const service = await startOwnTestService(() => ({ maxEventLoopDelayMs: 40 }));
  const workspace = await service.workspace();
  await addActivities(workspace, ["only"]);

  const blocking = blockEventLoop();
  await expect
    .poll(() => workspace.call(READ, SCOPE), { timeout: 20_000 })
    .toMatchObject({
      httpStatus: 503,
      body: { error: { status: "UNAVAILABLE" } },
    });
  expect(await fetch(`${service.address}/healthz`)).toMatchObject({ status: 200 });
  blocking.stop();
  await expect.poll(() => workspace.call(READ, SCOPE), { timeout: 20_000 }).toMatchObject({ httpStatus: 200 });
});

/** One turn of the event loop takes longer than the service bears, turn after turn. */
function blockEventLoop(): { stop(): void } {
  let isStopped = false;
  function turn(): void {
    const until = performance.now() + 80;
    while (performance.now() < until);
    if (!isStopped) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    stop() {
      isStopped = true;
    },
  };
}
