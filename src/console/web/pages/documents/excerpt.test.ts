import { expect, test } from "vitest";
import { getExcerpt } from "./excerpt.ts";

test.each([
  ["", "(empty)"],
  [" \n ", "(empty)"],
  ["one\n\ntwo ", "one two"],
  [{}, "{}"],
  [[{ a: 1 }], '[{"a":1}]'],
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), `${"x".repeat(200)}…`],
  [`a${" ".repeat(1_000)}b`, "a…"],
])("the excerpt of %j is %j", (data, beginning) => {
  expect(getExcerpt(data)).toBe(beginning);
});
