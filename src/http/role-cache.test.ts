import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LIMITS } from "../config/limits.ts";
import type { EndUser } from "../contract/end-user.ts";
import { cacheRoles } from "./role-cache.ts";

const [ADA, GRACE]: EndUser[] = ["ada", "grace"].map((userId) => ({
  userId,
  grants: [],
  tokenNumber: 0,
  expiresAt: 0,
}));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a function that finds the roles of a user on a document, and the look-ups so far. */
function caching(cachedMs = LIMITS.roleCacheMs) {
  const lookups: string[] = [];
  const findRoles = cacheRoles(async (_, { userId }, { documentIds }) => {
    lookups.push(`${userId} ${documentIds}`);
    return ["viewer"];
  }, cachedMs);
  const find = (user = ADA, documentId = "1") =>
    findRoles(Object({ id: "workspace" }), Object(user), { organizationId: "acme", documentIds: [documentId] });
  return { find, lookups };
}

test("roles are cached for less than a second, for one user and their latest resources", async () => {
  const { find, lookups } = caching();
  expect([await find(), await find()]).toEqual([["viewer"], ["viewer"]]);
  expect(lookups).toEqual(["ada 1"]);
  await find(GRACE);
  await find(ADA, "2");
  await find();
  expect(lookups).toEqual(["ada 1", "grace 1", "ada 2", "ada 1"]);
  vi.advanceTimersByTime(999);
  await find();
  expect(lookups).toHaveLength(5);
});

test("no role is cached for another token of the same user", async () => {
  const { find, lookups } = caching();
  await find();
  await find(Object({ ...ADA }));
  expect(lookups).toEqual(["ada 1", "ada 1"]);
});

test("roles are looked up again once a permission of the token has ended", async () => {
  const { find, lookups } = caching();
  const expiresAt = Math.floor(Date.now() / 1000) + 1;
  const type = "document" as const;
  const user = { ...ADA, grants: [{ type, id: "1", organizationId: "acme", expiresAt }] };
  vi.setSystemTime(expiresAt * 1000 - 100);
  await find(Object(user));
  const one = Object(user);
  await find(one);
  vi.advanceTimersByTime(99);
  await find(one);
  expect(lookups).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await find(one);
  expect(lookups).toHaveLength(2);
});
