import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { SEED } from "../../test/seed.ts";
import { byteaArray, plainArray, textArray } from "./array-parameter.ts";

const { database } = await createTestDatabase();

async function echo(type: string, parameter: unknown): Promise<unknown> {
  const rows = await runSql<{ values: unknown }>(database, `select $1::${type}[] as values`, [parameter]);
  return rows[0]?.values;
}

test("PostgreSQL reads arrays of texts, with nulls and without items", async () => {
  const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\u0000", ""));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text, { freq: 4 })), async (values) => {
      expect(await echo("text", textArray(values))).toEqual(values);
    }),
    { examples: [[[]], [["NULL", "", '"', "\\", "{}", ",", "é😀"]]], seed: SEED, numRuns: 50 },
  );
});

test("PostgreSQL reads arrays of bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), async (values) => {
      expect(await echo("bytea", byteaArray(values))).toEqual(values.map((value) => Buffer.from(value)));
    }),
    { seed: SEED, numRuns: 50 },
  );
});

test("PostgreSQL reads arrays of numbers and UUIDs", async () => {
  expect(await echo("bigint", plainArray([1, -2, Number.MAX_SAFE_INTEGER]))).toEqual([1, -2, Number.MAX_SAFE_INTEGER]);
  expect(await echo("uuid", plainArray(["0".repeat(32)]))).toEqual(["00000000-0000-0000-0000-000000000000"]);
  expect(await echo("int", plainArray([]))).toEqual([]);
});

test("reading an array of large values takes about as long as reading its values one by one", async () => {
  const measureTime = async (text: string) => {
    const times: number[] = [];
    while (times.length < 5) {
      const startedAt = performance.now();
      await runSql(database, text, []);
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const value = "decode(repeat('ab', 500000), 'hex')";
  const alone = await measureTime(`select ${value} from generate_series(1, 8)`);
  expect(await measureTime(`select array_fill(${value}, array[8])`)).toBeLessThan(8 * alone);
});
