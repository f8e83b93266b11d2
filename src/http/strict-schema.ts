import type { TSchema } from "typebox";
import { mapSchemas } from "./json-schema.ts";

/** Keywords whose schemas describe only some of an object's fields. */
const PARTIAL = new Set(["allOf", "not", "if", "then", "else"]);

/**
 * Returns the schema with `additionalProperties: false` in each object that does not set the keyword, so that unknown
 * fields are invalid at every level.
 */
export function strictSchema(schema: TSchema): TSchema {
  return strictNode(schema);
}

function strictNode(node: object): object {
  // TypeBox's own properties are not enumerable, and refinements are among them.
  const strict = Object.defineProperties({}, Object.getOwnPropertyDescriptors(node));
  for (const [keyword, value] of Object.entries(node)) {
    if (!PARTIAL.has(keyword)) Reflect.set(strict, keyword, mapSchemas(keyword, value, strictNode));
  }
  if ("properties" in node && !("additionalProperties" in node)) Reflect.set(strict, "additionalProperties", false);
  return strict;
}
