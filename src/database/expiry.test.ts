import { expect, test, vi } from "vitest";
import { silentLog } from "../../test/harness.ts";
import { startExpiry } from "./expiry.ts";

test("a deletion that takes longer than the interval gets no other beside it, and a stop waits for it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { promise, resolve: finish } = Promise.withResolvers<number>();
  const deleteChunk = vi.fn(() => promise);
  const expiry = startExpiry("rows", deleteChunk, silentLog);
  vi.advanceTimersByTime(60 * 60 * 1000);
  const ended: string[] = [];
  const stopped = expiry.stop().then(() => ended.push("stop"));
  vi.useRealTimers();
  void promise.then(() => ended.push("deletion"));
  finish(0);
  await stopped;
  expect(deleteChunk).toHaveBeenCalledOnce();
  expect(ended).toEqual(["deletion", "stop"]);
});
