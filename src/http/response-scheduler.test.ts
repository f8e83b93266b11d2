import { expect, test } from "vitest";
import { ResponseScheduler } from "./response-scheduler.ts";
import { UnsentBytes } from "./unsent-bytes.ts";

const LIMITS = { maxWaitMs: 60_000, burstMs: 1, msPerSecond: 10 };
const unsent = { maxBytes: 1_000, stalledMs: { always: 60_000, whenFull: 60_000 } };
const isAbandoned = () => false;

function caller(name: string, group = "workspace") {
  return { group, name, isKnown: true };
}

/** Keeps the event loop busy, as building a large message does. */
async function work(ms: number): Promise<void> {
  const endAt = performance.now() + ms;
  while (performance.now() < endAt);
}

test("a caller that has taken its time of the event loop waits, and others do not", async () => {
  const scheduler = new ResponseScheduler(new UnsentBytes(unsent), LIMITS);
  const done: string[] = [];
  const run = async (name: string, title: string) => {
    await scheduler.run(caller(name), isAbandoned, () => work(5));
    done.push(title);
  };
  await run("ada", "first");
  await Promise.all([run("ada", "second"), run("grace", "of another")]);
  expect(done).toEqual(["first", "of another", "second"]);
});

test("a caller that leaves while it waits is not run, and gets no error", async () => {
  const scheduler = new ResponseScheduler(new UnsentBytes(unsent), LIMITS);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = scheduler.run(caller("ada"), isAbandoned, () => promise);
  let hasLeft = false;
  const ran: string[] = [];
  const second = scheduler.run(
    caller("grace"),
    () => hasLeft,
    async () => void ran.push("grace"),
  );
  hasLeft = true;
  resolve();
  await Promise.all([first, second]);
  expect(ran).toEqual([]);
});

test("a caller that waits too long is rejected", async () => {
  const scheduler = new ResponseScheduler(new UnsentBytes(unsent), { ...LIMITS, maxWaitMs: 100 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = scheduler.run(caller("ada"), isAbandoned, () => promise);
  await expect(scheduler.run(caller("grace"), isAbandoned, () => work(0))).rejects.toMatchObject({
    reason: "overloaded",
  });
  resolve();
  await first;
});

test("a caller, and a workspace, wait while much of theirs is not read, and others do not", async () => {
  const messages = new UnsentBytes(unsent);
  const scheduler = new ResponseScheduler(messages, { ...LIMITS, maxWaitMs: 100 });
  const socket = { caller: caller("ada"), unsentBytes: 400, progressAtMs: performance.now(), cutOff: () => {} };
  messages.add(socket);
  const ran: string[] = [];
  const run = (name: string, group?: string) =>
    scheduler.run(caller(name, group), isAbandoned, async () => void ran.push(name));
  await expect(run("ada")).rejects.toMatchObject({ reason: "overloaded" });
  await run("grace");
  socket.unsentBytes = 600;
  await expect(run("linus")).rejects.toMatchObject({ reason: "overloaded" });
  await run("barbara", "another");
  messages.remove(socket);
  await run("ken");
  expect(ran).toEqual(["grace", "barbara", "ken"]);
});
