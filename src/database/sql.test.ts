import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { bigints, booleans, byteas, EMPTY, identifier, integer, join, sql, text, texts, uuids } from "./sql.ts";

const { database } = await createTestDatabase();

test("a value becomes a parameter at its position, and a nested fragment keeps its own", async () => {
  const isNamed = sql`name = ${text("o'hara")}`;
  const statement = sql`select ${integer(1)} from t where ${isNamed} and id > ${integer(2)}`;
  expect(statement.shape.text).toBe("select $1::int from t where name = $2::text and id > $3::int");
  expect(statement.values).toEqual([1, "o'hara", 2]);
});

test("statements of the same form share one prepared text for all values", () => {
  const named = (name: string, ids: string[]) => sql`select ${text(name)} where ${join(ids.map(text), " or ")}`;
  expect(named("a", ["1", "2"]).shape).toBe(named("b", ["3", "4"]).shape);
  expect(named("a", ["1"]).shape).not.toBe(named("a", ["1", "2"]).shape);
});

test("fragments of other types make other statements", () => {
  const compared = (value: ReturnType<typeof text> | ReturnType<typeof integer>) => sql`select ${value} as value`;
  expect(compared(text("1")).shape).not.toBe(compared(integer(1)).shape);
});

test("an absent fragment adds nothing to the statement", () => {
  expect(sql`select 1 ${EMPTY}`.shape.text).toBe("select 1 ");
  expect(join([], " and ").shape.text).toBe("");
});

test("a name that could contain SQL is rejected", () => {
  expect(() => identifier("users; drop table users")).toThrow("is not a name");
  expect(() => identifier('"users"')).toThrow("is not a name");
});

test("lists of every type arrive unchanged", async () => {
  const key = "0195f3a4-0000-7000-8000-000000000000";
  const [row] = await database.run(
    sql`select ${texts(["a", null, '"', "\\", "é"])} as texts, ${uuids([key])} as uuids,
      ${bigints([2 ** 53 - 1, null])}::text as bigints, ${booleans([true, false])} as booleans,
      ${byteas([Uint8Array.of(0, 255)])} as byteas, ${texts([])} as empty`,
  );
  expect(row).toEqual({
    texts: ["a", null, '"', "\\", "é"],
    uuids: [key],
    bigints: "{9007199254740991,NULL}",
    booleans: [true, false],
    byteas: [Buffer.from([0, 255])],
    empty: [],
  });
});
