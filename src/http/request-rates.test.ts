import fastify from "fastify";
import { expect, test } from "vitest";
import { RequestRates } from "./request-rates.ts";

/** Serves requests of the workspace that the path names, at most 3 per second by a clock that stands still. */
function serveWithClock() {
  const clock = { nowMs: 0 };
  const rates = new RequestRates(3, () => clock.nowMs);
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

test("processes that send each other their counts share the limit, and make up for a common burst", async () => {
  const [one, other] = [serveWithClock(), serveWithClock()];
  expect([await countServed(one.call, "a"), await countServed(other.call, "a")]).toEqual([3, 3]);
  one.rates.addCounts(other.rates.takeCounts());
  other.rates.addCounts({ a: 3 });
  expect(other.rates.takeCounts()).toEqual({});
  for (const { clock } of [one, other]) clock.nowMs += 1_000;
  expect([await countServed(one.call, "a"), await countServed(other.call, "a")]).toEqual([0, 0]);
  expect((await one.call("a")).headers).toMatchObject({ "ratelimit-remaining": "0", "ratelimit-reset": "1" });
  for (const { clock } of [one, other]) clock.nowMs += 1_000;
  expect(await countServed(one.call, "a")).toBe(3);
});
