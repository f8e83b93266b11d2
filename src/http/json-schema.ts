import type { TSchema } from "typebox";
import { isObject } from "../json/is-object.ts";

/** A JSON Schema in plain JSON, without TypeBox's additions. */
export type JsonSchema = Record<string, unknown>;

/**
 * Returns a deep copy in plain JSON Schema 2020-12. It lacks TypeBox's own properties, which are not enumerable, and
 * thereby the rules of Type.Refine, which only code can check.
 */
export function jsonSchema(schema: TSchema | JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const described = keyword === "properties" && isObject(value) ? withoutForbidden(value) : value;
    return [keyword, mapSchemas(keyword, described, jsonSchema)];
  });
  return mapAsAdditionalProperties(withTypeOfEnum(Object.fromEntries(entries)));
}

/** Returns the properties without those whose schema is `false`, which callers must not send and tools cannot show. */
function withoutForbidden(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, property]) => property !== false));
}

/** Returns the value of a keyword with `map` applied to each schema in it. The schemas `true` and `false` stay. */
export function mapSchemas(keyword: string, value: unknown, map: (schema: JsonSchema) => object): unknown {
  const mapOne = (part: unknown) => (isObject(part) ? map(part) : part);
  switch (keyword) {
    case "properties":
    case "patternProperties":
      if (!isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapOne(part)]));
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value) ? value.map(mapOne) : value;
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "not":
    case "if":
    case "then":
    case "else":
      return mapOne(value);
    default:
      return value;
  }
}

/** Adds the type of an enum of texts. Some code generators make a value of any type of an enum without one. */
function withTypeOfEnum(schema: JsonSchema): JsonSchema {
  const { enum: values } = schema;
  return Array.isArray(values) && values.every((value) => typeof value === "string")
    ? { type: "string", ...schema }
    : schema;
}

/** Converts a map from TypeBox's form, a pattern that every key matches, to the form that code generators expect. */
function mapAsAdditionalProperties(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema;
  const values = isObject(patternProperties) ? patternProperties["^.*$"] : undefined;
  return values === undefined ? schema : { ...rest, additionalProperties: values };
}
