import type { TSchema } from "typebox";
import { isObject } from "../contract/is-object.ts";

/**
 * Returns the schema with `additionalProperties: false` in each object that does not set the keyword, so that unknown
 * fields are invalid at every level. Conditions (`if`) stay as they are, because they name only what they compare.
 */
export function strictSchema(schema: TSchema): TSchema {
  return strictNode(schema);
}

function strictNode(node: object): object {
  // TypeBox's own properties are not enumerable, and refinements are among them.
  const strict = Object.defineProperties({}, Object.getOwnPropertyDescriptors(node));
  for (const [keyword, value] of Object.entries(node)) Reflect.set(strict, keyword, strictKeyword(keyword, value));
  if ("properties" in node && !("additionalProperties" in node)) Reflect.set(strict, "additionalProperties", false);
  return strict;
}

function strictKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
    case "patternProperties":
      return Object.fromEntries(Object.entries(Object(value)).map(([name, node]) => [name, strictValue(node)]));
    case "items":
    case "additionalProperties":
      return strictValue(value);
    case "anyOf":
      return Array.isArray(value) ? value.map(strictValue) : value;
    default:
      return value;
  }
}

/** Returns the schema of a keyword, which may also be a boolean. */
function strictValue(value: unknown): unknown {
  return isObject(value) ? strictNode(value) : value;
}
