import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { shared } from "./shared-select.ts";
import { bigint, sql, text, texts, unprepared, uuid } from "./sql.ts";

const { database } = await createTestDatabase();

test("each of many concurrent calls gets its own row, for all values", async () => {
  const word = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\u0000", ""));
  const values = fc.tuple(fc.uuid(), word, fc.maxSafeInteger(), fc.array(word));
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 100 }), async (calls) => {
      const rows = await Promise.all(
        calls.map(([key, name, count, list]) =>
          database.run(
            shared(
              sql`select ${uuid(key)} as key, ${text(name)} as name, ${bigint(count)} as count, ${texts(list)} as list`,
            ),
          ),
        ),
      );
      expect(rows).toEqual(
        calls.map(([key, name, count, list]) => expect.objectContaining({ key, name, count, list })),
      );
    }),
    { numRuns: 30 },
  );
});

test("a hundred concurrent calls of an organization share a few statements", async () => {
  const organizationKey = randomUUID();
  const rows = await Promise.all(
    Array.from({ length: 100 }, () =>
      database.run(
        shared(
          sql<{ statement: string }>`select ${uuid(organizationKey)} as key, pg_current_xact_id()::text as statement`,
        ),
      ),
    ),
  );
  expect(new Set(rows.map(({ statement }) => statement)).size).toBeLessThan(20);
});

test("a failing call fails alone", async () => {
  const divisors = [1, 2, 0, 4, 5, 10];
  const outcomes = await Promise.allSettled(
    divisors.map((divisor) =>
      database.run(shared(sql<{ quotient: number }>`select (100 / ${bigint(divisor)})::int as quotient`)),
    ),
  );
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.quotient : "failed"))).toEqual([
    ...[100, 50, "failed", 25, 20, 10],
  ]);
});

test("a call in a transaction sees the writes of the transaction", async () => {
  await database.run(unprepared(sql`create table written (key uuid)`));
  const key = randomUUID();
  const row = await database.transaction(async (transaction) => {
    await transaction.run(sql`insert into written values (${uuid(key)})`);
    return transaction.run(shared(sql`select count(*) as count from written where key = ${uuid(key)}`));
  });
  expect(row).toEqual({ count: 1 });
});
