import { isDeepStrictEqual } from "node:util";
import { type JsonSchema, mapSchemas } from "./json-schema.ts";

/** Schemas that have a `title`, by this name. */
export type NamedSchemas = Record<string, JsonSchema>;

/**
 * Returns the schema with a reference to `components.schemas` instead of each schema that has a `title`, and adds
 * those to `named`. Throws if two different schemas have one title.
 */
export function referNamed(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    mapSchemas(keyword, value, (part) => referNamed(part, named)),
  ]);
  const referring: JsonSchema = Object.fromEntries(entries);
  const { title } = schema;
  if (typeof title !== "string") return referring;
  if (named[title] !== undefined && !isDeepStrictEqual(named[title], referring)) {
    throw new Error(`Two different schemas have the title ${title}.`);
  }
  named[title] = referring;
  return { $ref: `#/components/schemas/${title}` };
}
