import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";

const { database } = await createTestDatabase();
const ECHO = "select $1::uuid as key, $2::text as name, $3::bigint as count, $4::text[] as list";

test("simultaneous calls get their own rows, whatever their values are", async () => {
  const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\u0000", ""));
  const values = fc.tuple(fc.uuid(), text, fc.maxSafeInteger(), fc.array(text));
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 100 }), async (calls) => {
      const rows = await Promise.all(calls.map((call) => database.selectOne(ECHO, call)));
      expect(rows).toEqual(
        calls.map(([key, name, count, list]) => expect.objectContaining({ key, name, count, list })),
      );
    }),
    { numRuns: 30 },
  );
});

test("a hundred simultaneous calls are a few statements", async () => {
  const text = "select $1 as key, pg_current_xact_id()::text as statement";
  const rows = await Promise.all(
    Array.from({ length: 100 }, () => database.selectOne<{ statement: string }>(text, [randomUUID()])),
  );
  expect(new Set(rows.map(({ statement }) => statement)).size).toBeLessThan(20);
});

test("a call that fails leaves its neighbours their rows", async () => {
  const text = "select $1 as key, (100 / $2)::int as quotient";
  const divisors = [1, 2, 0, 4, 5, 10];
  const outcomes = await Promise.allSettled(
    divisors.map((divisor) => database.selectOne<{ quotient: number }>(text, [randomUUID(), divisor])),
  );
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.quotient : "failed"))).toEqual([
    ...[100, 50, "failed", 25, 20, 10],
  ]);
});

test("in a transaction a call sees what the transaction has written", async () => {
  await database.query("create table written (key uuid)");
  const key = randomUUID();
  const row = await database.transaction(async (transaction) => {
    await transaction.query("insert into written values ($1)", [key]);
    return transaction.selectOne("select count(*) as count from written where key = $1", [key]);
  });
  expect(row).toEqual({ count: 1 });
});
