import { expect, test } from "vitest";
import { toOrganizationKey } from "./keys.ts";

const KEY = "0123456789abcdef0123456789abcdef";

test("the key of an organization is read with hyphens, as PostgreSQL writes it, and without", () => {
  const texts = [KEY, "01234567-89ab-cdef-0123-456789abcdef"];
  expect(texts.map(toOrganizationKey)).toEqual([KEY, KEY]);
});

test("a text that is not a key is rejected", () => {
  const texts = ["", "acme", KEY.slice(1), `${KEY}0`, `${KEY}\n`, KEY.toUpperCase(), `${KEY} ${KEY}`];
  for (const text of texts) expect(() => toOrganizationKey(text), text).toThrow("32 hexadecimal digits");
});
