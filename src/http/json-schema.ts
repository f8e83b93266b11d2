import type { TSchema } from "typebox";

/** A JSON Schema as the documentation prints it: plain JSON, nothing of TypeBox. */
export type JsonSchema = Record<string, unknown>;

/**
 * Deep copy in plain JSON Schema 2020-12. TypeBox's own marks are not enumerable and stay behind, and with them the
 * rules of Type.Refine, which only code can check.
 */
export function jsonSchema(schema: TSchema | JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => [keyword, copyKeyword(keyword, value)]);
  return mapAsAdditionalProperties(literalsAsEnum(Object.fromEntries(entries)));
}

/**
 * A value that the schema accepts, made of its `examples`, `const`, `enum` and `default`, and `true` for a boolean.
 * Undefined where a required part has none of these: an invented text would pass for a real answer.
 */
export function exampleOf(schema: JsonSchema): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema) return schema.default;
  if (schema.type === "boolean") return true;
  if (schema.type === "array" && isSchema(schema.items)) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  return schema.type === "object" && isSchema(schema.properties) ? exampleOfObject(schema) : undefined;
}

function exampleOfObject(schema: JsonSchema): JsonSchema | undefined {
  const result: JsonSchema = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = isSchema(property) ? exampleOf(property) : undefined;
    if (value !== undefined) result[name] = value;
    else if (Array.isArray(schema.required) && schema.required.includes(name)) return undefined;
  }
  return result;
}

function copyKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
    case "patternProperties":
      if (!isSchema(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copySchema(part)]));
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value) ? value.map(copySchema) : value;
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "not":
    case "if":
    case "then":
    case "else":
      return copySchema(value);
    default:
      return value;
  }
}

/** `true` and `false` are schemas too. */
function copySchema(value: unknown): unknown {
  return isSchema(value) ? jsonSchema(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Generators make one type of an enum, and many of a union. */
function literalsAsEnum(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every((branch) => isSchema(branch) && typeof branch.const === "string")) {
    return schema;
  }
  return { ...rest, type: "string", enum: anyOf.map((branch) => branch.const) };
}

/** TypeBox writes a map as a pattern that every key matches; readers and generators know maps in this form. */
function mapAsAdditionalProperties(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema;
  const values = isSchema(patternProperties) ? patternProperties["^.*$"] : undefined;
  return values === undefined ? schema : { ...rest, additionalProperties: values };
}
