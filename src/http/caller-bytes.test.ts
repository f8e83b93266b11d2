import { expect, test } from "vitest";
import { LIMITS } from "../config/limits.ts";
import { BodyBudget } from "./body-budget.ts";
import { type CountedCaller, countedUser } from "./request-limits.ts";
import { UnsentBytes } from "./unsent-bytes.ts";

const MIB = 1024 * 1024;
const WORKSPACE = { id: "workspace" };
const ada = countedUser(WORKSPACE, { userId: "ada" });
const grace = countedUser(WORKSPACE, { userId: "grace" });
const backend: CountedCaller = { group: WORKSPACE.id, name: "token", isKnown: true };

test("the bodies of a user take a tenth of the memory at most, and leave room for another user and a backend", () => {
  const budget = new BodyBudget(LIMITS.bodies);
  expect(() => budget.claim(ada).add(25 * MIB)).not.toThrow();
  expect(() => budget.claim(ada).add(MIB)).toThrow("Too many request bodies");
  expect(() => budget.claim(grace).add(25 * MIB)).not.toThrow();
  expect(() => budget.claim(backend).add(60 * MIB)).not.toThrow();
});

test("the largest message of a user fits into the smallest memory of a process", () => {
  expect(() => new BodyBudget({ maxBytes: 32 * MIB }).claim(ada).add(12 * MIB)).not.toThrow();
});

test("what a user does not read takes a tenth of the memory at most, and leaves room for others", () => {
  const unsent = new UnsentBytes(LIMITS.unsentResponses);
  const response = (caller: CountedCaller, unsentBytes: number) => {
    unsent.add({ caller, unsentBytes, progressAtMs: performance.now(), cutOff() {} });
  };
  response(ada, 8 * MIB);
  expect(unsent.hasRoom(ada, 4 * MIB)).toBe(true);
  expect(unsent.hasRoom(ada, 5 * MIB)).toBe(false);
  expect(unsent.hasRoom(grace, 8 * MIB)).toBe(true);
  response(backend, 30 * MIB);
  expect(unsent.hasRoom(backend, 8 * MIB)).toBe(true);
});
