import { expect, test } from "vitest";
import { LastUses } from "./last-uses.ts";

async function flushed(uses: LastUses): Promise<unknown[]> {
  const written: unknown[] = [];
  await uses.flush(async (batch) => void written.push(...batch));
  return written;
}

test("a flush passes the last use of each ID since the previous flush", async () => {
  const uses = new LastUses();
  uses.record("a", 1);
  uses.record("b", 2);
  uses.record("a", 3);
  expect(await flushed(uses)).toEqual([
    { id: "a", usedAt: 3 },
    { id: "b", usedAt: 2 },
  ]);
  expect(await flushed(uses)).toEqual([]);
});

test("uses that could not be written are passed to the next flush, unless a later use supersedes them", async () => {
  const uses = new LastUses();
  uses.record("a", 1);
  uses.record("b", 2);
  const failing = uses.flush(async () => {
    uses.record("b", 4);
    throw new Error("no connection");
  });
  await expect(failing).rejects.toThrow("no connection");
  expect(await flushed(uses)).toEqual([
    { id: "a", usedAt: 1 },
    { id: "b", usedAt: 4 },
  ]);
});
