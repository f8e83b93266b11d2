import fastify, { type FastifyReply } from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AuthenticatedOperation } from "../contract/operation.ts";
import { addCommentAnnotations } from "../features/comments/annotations/add.ts";
import { getCommentAnnotations } from "../features/comments/annotations/get.ts";
import { addComments } from "../features/comments/comments/add.ts";
import { addPermissions } from "../features/permissions/add.ts";
import { addPresence } from "../features/presence/add.ts";
import { broadcastPresence } from "../features/presence/broadcast.ts";
import { addRecordings } from "../features/recordings/add.ts";
import { compileEndUserRule } from "./end-user-rule.ts";
import { type RateLimits, RequestRates } from "./request-rates.ts";

const WITHOUT_DELAY = { limits: { userRates: { delayMs: 0 } } };

/** Serves requests of the workspace that the path names, at most 3 per second by a clock that stands still. */
function serveWithClock() {
  const clock = { nowMs: 0 };
  const limits = { ...WITHOUT_DELAY, requestsPerSecond: 3, userWritesPerSecond: 0, userWriteBurst: 1 };
  const rates = new RequestRates(limits, () => clock.nowMs);
  const app = fastify();
  app.get<{ Params: { id: string } }>("/:id", async ({ params }, reply) => {
    rates.count(params, reply);
    return "served";
  });
  app.setErrorHandler((error, _request, reply) => reply.code(429).send(error));
  return { clock, rates, call: (id: string) => app.inject(`/${id}`) };
}

/** Returns how many of ten requests are served. */
async function countServed(call: (id: string) => Promise<{ statusCode: number }>, id: string): Promise<number> {
  const responses = await Promise.all(Array.from({ length: 10 }, () => call(id)));
  return responses.filter(({ statusCode }) => statusCode === 200).length;
}

test("each workspace has a burst of one second, and then as many requests as time refills", async () => {
  const { clock, call } = serveWithClock();
  expect([await countServed(call, "a"), await countServed(call, "b")]).toEqual([3, 3]);
  clock.nowMs += 333;
  expect(await countServed(call, "a")).toBe(0);
  clock.nowMs += 667;
  expect(await countServed(call, "a")).toBe(3);
});

test("the response headers say how many requests are left, also if the request is rejected", async () => {
  const { clock, call } = serveWithClock();
  const limits = { "ratelimit-limit": "3", "ratelimit-reset": "1" };
  expect((await call("a")).headers).toMatchObject({ ...limits, "ratelimit-remaining": "2" });
  await countServed(call, "a");
  expect((await call("a")).headers).toMatchObject({ ...limits, "ratelimit-remaining": "0" });
  clock.nowMs += 1_000;
  expect((await call("a")).headers).toMatchObject({ ...limits, "ratelimit-remaining": "2" });
});

test("a list in a request counts as what it adds, also one inside of an object or of the items of another list", () => {
  const count = ({ endUsers = { role: "viewer", on: "documents" } }: AuthenticatedOperation, request: object) =>
    compileEndUserRule(endUsers, async () => []).countAdded(request);
  expect(count(addRecordings, { recordings: [{}, {}] })).toBe(2);
  expect(count(addPermissions, { permissions: { resources: [{}, {}, {}] } })).toBe(3);
  expect(count(addCommentAnnotations, { commentAnnotations: [{ comments: [{}, {}] }, { commentData: [{}] }] })).toBe(3);
  expect(count(addComments, { comments: [{}] })).toBe(1);
});

test("processes that send each other their counts share the limit, and make up for a common burst", async () => {
  const [one, other] = [serveWithClock(), serveWithClock()];
  expect([await countServed(one.call, "a"), await countServed(other.call, "a")]).toEqual([3, 3]);
  one.rates.addCounts(other.rates.takeCounts());
  other.rates.addCounts({ requests: { a: 3 } });
  expect(other.rates.takeCounts()).toEqual({});
  for (const { clock } of [one, other]) clock.nowMs += 1_000;
  expect([await countServed(one.call, "a"), await countServed(other.call, "a")]).toEqual([0, 0]);
  expect((await one.call("a")).headers).toMatchObject({ "ratelimit-remaining": "0", "ratelimit-reset": "1" });
  for (const { clock } of [one, other]) clock.nowMs += 1_000;
  expect(await countServed(one.call, "a")).toBe(3);
});

const WRITES = { ...WITHOUT_DELAY, requestsPerSecond: 0, userWritesPerSecond: 10, userWriteBurst: 100 };

/** Returns a reply and the headers that it gets. Casts it: nothing else of it is used. */
function recordHeaders() {
  const headers: Record<string, unknown> = {};
  const reply = { hasHeader: () => false, headers: (given: object) => void Object.assign(headers, given) };
  return { headers, reply: reply as unknown as FastifyReply };
}

/** Counts requests of users in the workspace `w`, by a clock that stands still. */
function countWithClock(limits: RateLimits = WRITES) {
  const clock = { nowMs: 0 };
  const rates = new RequestRates(limits, () => clock.nowMs);
  const { headers, reply } = recordHeaders();
  const caller = (userId: string, id = "w") => ({ workspace: { id }, user: { userId } });
  /** Returns how many of so many requests are allowed. */
  async function send(
    userId: string,
    operation: AuthenticatedOperation,
    count: number,
    workspaceId?: string,
  ): Promise<number> {
    const calls = Array.from({ length: count }, () => rates.countUser(caller(userId, workspaceId), operation, reply));
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        expect(outcome.reason).toMatchObject({ reason: "rate_limited", retryAfterSeconds: 1 });
      }
    }
    return outcomes.filter(({ status }) => status === "fulfilled").length;
  }
  return { clock, rates, headers, caller, send };
}

test("a user writes a burst of each kind, then what time refills, and others and reads are not affected", async () => {
  const { clock, headers, send } = countWithClock();
  expect(await send("ada", addComments, 150)).toBe(100);
  expect(headers).toEqual({ "ratelimit-limit": 100, "ratelimit-remaining": 0, "ratelimit-reset": 10 });
  expect(await send("ada", addPresence, 50)).toBe(50);
  expect(await send("ada", broadcastPresence, 150)).toBe(100);
  expect(await send("ada", addPresence, 50)).toBe(50);
  expect(await send("ada", getCommentAnnotations, 50)).toBe(50);
  expect(await send("grace", addComments, 50)).toBe(50);
  expect(await send("ada", addComments, 50, "other")).toBe(50);
  clock.nowMs += 500;
  expect(await send("ada", addComments, 150)).toBe(5);
});

test("a request counts the records that it adds, and the next one waits for what is owed", async () => {
  const { clock, rates, caller, send } = countWithClock();
  expect(await send("ada", addComments, 99)).toBe(99);
  expect(await send("ada", addComments, 1)).toBe(1);
  rates.countRecords(caller("ada"), addComments, 21);
  clock.nowMs += 2_000;
  expect(await send("ada", addComments, 1)).toBe(0);
  clock.nowMs += 100;
  expect(await send("ada", addComments, 2)).toBe(1);
});

test("processes that send each other their counts share what a user may write", async () => {
  const [one, other] = [countWithClock(), countWithClock()];
  expect(await one.send("ada", addComments, 60)).toBe(60);
  one.rates.countRecords(one.caller("ada"), addComments, 21);
  other.rates.addCounts(one.rates.takeCounts());
  expect(one.rates.takeCounts()).toEqual({});
  expect(await other.send("ada", addComments, 60)).toBe(20);
});

test("a user sends a tenth of the requests of the workspace, half of them in a burst", async () => {
  const { clock, send } = countWithClock({ ...WRITES, requestsPerSecond: 50 });
  expect(await send("ada", getCommentAnnotations, 100)).toBe(25);
  expect(await send("grace", getCommentAnnotations, 20)).toBe(20);
  clock.nowMs += 1_000;
  expect(await send("ada", getCommentAnnotations, 100)).toBe(5);
});

test("a rejection of a user takes a while, and what is allowed does not wait", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { send } = countWithClock({ ...WRITES, userWriteBurst: 1, limits: { userRates: { delayMs: 1_000 } } });
  expect(await send("ada", addComments, 1)).toBe(1);
  let sent: number | undefined;
  const sending = send("ada", addComments, 1).then((count) => (sent = count));
  await vi.advanceTimersByTimeAsync(999);
  expect(sent).toBe(undefined);
  expect(await send("grace", addComments, 1)).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await sending).toBe(0);
});
