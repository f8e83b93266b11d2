import { expect, onTestFinished, test, vi } from "vitest";
import { Throttle } from "./throttle.ts";

const ADA = { group: "a", name: "user ada" };

/** Returns a throttle with a clock that the test moves, and work that takes a time of it. */
function setUp({ maxWaitMs = 60_000 } = {}) {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const throttle = new Throttle(1 / 10, { maxWaiting: 100, maxWaitMs }, new Error("too long"));
  const done: string[] = [];
  async function run(name: string, member = ADA): Promise<void> {
    await throttle.run(member, async (begin) => {
      // Waits for something else, which does not count.
      await vi.advanceTimersByTimeAsync(1_000);
      begin();
      await vi.advanceTimersByTimeAsync(100);
    });
    done.push(name);
  }
  return { run, done };
}

test("the work of a member takes a tenth of the time, and that of others does not wait", async () => {
  const { run, done } = setUp();
  await run("one");
  const two = run("two");
  await run("other", { group: "a", name: "user grace" });
  expect(done).toEqual(["one", "other"]);
  await vi.advanceTimersByTimeAsync(900);
  await two;
  expect(done).toEqual(["one", "other", "two"]);
});

test("work that has waited too long is rejected, and later work runs", async () => {
  const { run, done } = setUp({ maxWaitMs: 50 });
  await run("one");
  const late = expect(run("two")).rejects.toThrow("too long");
  await vi.advanceTimersByTimeAsync(500);
  await late;
  await vi.advanceTimersByTimeAsync(1_000);
  await run("three");
  expect(done).toEqual(["one", "three"]);
});
