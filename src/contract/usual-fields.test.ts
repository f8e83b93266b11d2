import Type from "typebox";
import { Check } from "typebox/value";
import { expect, test } from "vitest";
import { FreeFormObject, FreeFormUserValues, getUsualFields, hasUserValues, withUsualFields } from "./schema.ts";

const USUAL = Type.Object({ elementId: Type.Optional(Type.String()) }, { additionalProperties: true });

test("a free-form object with usual fields accepts any object, also with other values in them", () => {
  const schema = Type.Optional(withUsualFields(FreeFormObject, USUAL));
  expect(Check(schema, { elementId: 7, other: [null] })).toBe(true);
  expect(getUsualFields(schema)).toBe(USUAL);
  expect(JSON.stringify(schema)).toBe(JSON.stringify(FreeFormObject));
});

test("the values of an object with usual fields may be users if they may be without them", () => {
  expect(hasUserValues(withUsualFields(FreeFormUserValues, USUAL))).toBe(true);
  expect(hasUserValues(withUsualFields(FreeFormObject, USUAL))).toBe(false);
});
