import { expect, test } from "vitest";
import { parseJson } from "./json.ts";

test("each number that a 64-bit float cannot represent is an issue with its path", () => {
  const message = "must be a number that a 64-bit float can hold";
  const details = { reason: "field_invalid", issues: ["data.a[1]", 'data["b c"]'].map((path) => ({ path, message })) };
  const first = `data.a[1] ${message}`;
  expect(() => parseJson(Buffer.from('{"data":{"a":[0,1e999],"b c":-1e999}}'))).toThrow(
    expect.objectContaining({ status: "INVALID_ARGUMENT", message: first, details }),
  );
});

test("at most 100 of a million such numbers are named", () => {
  const body = Buffer.from(`{"data":[${"1e999,".repeat(1_000_000)}0]}`);
  expect(() => parseJson(body)).toThrow(
    expect.objectContaining({ details: { reason: "field_invalid", issues: expect.objectContaining({ length: 100 }) } }),
  );
});
