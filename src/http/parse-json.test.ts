import { expect, test } from "vitest";
import { JsonScanner, MAX_VALUES } from "./json-scanner.ts";
import { parseJson } from "./parse-json.ts";

/** Scans a text in chunks of a size, and parses it. */
function read(text: string, chunkSize = text.length): unknown {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner();
  for (let at = 0; at < bytes.length; at += chunkSize) scanner.scan(bytes.subarray(at, at + chunkSize));
  return parseJson(bytes, scanner);
}

const STRINGS = ["", '"', "\\", '\\"', "[[{,:", "1e999", "x".repeat(200), '\\"'.repeat(100), `${"x".repeat(63)}\\`];

test.each([1, 2, 3, 5, 7, 64, 1000])("a text is read alike in chunks of %i bytes", (chunkSize) => {
  const value = { strings: STRINGS, numbers: [0, -1.5e-300, 1e21, 1.5e300], empty: [{}, [], [[]]], "a\\": { b: null } };
  expect(read(JSON.stringify(value, null, 1), chunkSize)).toEqual(value);
  expect(() => read(`${JSON.stringify(STRINGS).slice(0, -1)},1E+999]`, chunkSize)).toThrow(/9.* must be a number/);
});

test.each([
  ["numbers", "0", MAX_VALUES - 1],
  ["empty lists", "[ ]", MAX_VALUES - 1],
  ["empty objects", "{}", MAX_VALUES - 1],
  ["members", '{"a,[]":[0,0,0,0,0,0,0]}', (MAX_VALUES - 1) / 9],
  ["strings", '"a,[]{}"', MAX_VALUES - 1],
])("a text may have 100,000 values, and not one more: %s", (_title, item, count) => {
  const items = `${`${item}, `.repeat(count - 1)}${item}`;
  expect(read(`[${items}]`, 1000)).toHaveLength(count);
  const error = { reason: "body_invalid", message: expect.stringMatching(/more than 100,000 values/) };
  expect(() => read(`[${items},0,0]`, 1000)).toThrow(expect.objectContaining(error));
});

test.each([
  ["levels", "[".repeat(65), /nested deeper than 64 levels/],
  ["values", `[${"0,".repeat(100_001)}`, /more than 100,000 values/],
])("too many %s are rejected before the text is complete", (_title, text, message) => {
  expect(() => new JsonScanner().scan(Buffer.from(text))).toThrow(message);
});

test("the last one counts of names that an object repeats", () => {
  const value = read('{"a":1,"__proto__":1,"b":[],"a":2,"__proto__":2}');
  expect(Object.entries(Object(value))).toEqual([
    ["a", 2],
    ["__proto__", 2],
    ["b", []],
  ]);
});

test("each number that a 64-bit float cannot represent is an issue with its path", () => {
  const message = "must be a number that a 64-bit float can hold";
  const details = { reason: "field_invalid", issues: ["data.a[1]", 'data["b c"]'].map((path) => ({ path, message })) };
  const first = `data.a[1] ${message}`;
  expect(() => read('{"data":{"a":[0,1e999],"b c":-1e999}}')).toThrow(
    expect.objectContaining({ status: "INVALID_ARGUMENT", message: first, details }),
  );
});

test("at most 100 of 90,000 such numbers are named", () => {
  expect(() => read(`{"data":[${"1e999,".repeat(90_000)}0]}`)).toThrow(
    expect.objectContaining({ details: { reason: "field_invalid", issues: expect.objectContaining({ length: 100 }) } }),
  );
});
