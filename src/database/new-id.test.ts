import { afterEach, expect, test, vi } from "vitest";
import { newId } from "./new-id.ts";

const COUNT = 5_000;

afterEach(() => {
  vi.useRealTimers();
});

test("IDs are different and ascend, those of one millisecond too", () => {
  const ids = Array.from({ length: COUNT }, newId);
  expect(new Set(ids).size).toBe(COUNT);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("IDs ascend when the clock is put back", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const now = Date.now();
  const before = Array.from({ length: 100 }, newId);
  vi.setSystemTime(now - 60_000);
  const after = Array.from({ length: 100 }, newId);
  expect([...before, ...after].toSorted()).toEqual([...before, ...after]);
});
