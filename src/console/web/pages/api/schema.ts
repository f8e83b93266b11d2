import { formatCount } from "../../components/numbers.ts";

/** The subset of JSON Schema that the service's OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxProperties?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  description?: string;
}

/** A field of a request or response. */
export interface Field {
  /** Path from the outermost object, with `[]` after lists and `{id}` for the keys of a map. */
  path: string;
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  /** Limits such as "1 to 256 characters"; otherwise empty. */
  limits: string;
  description: string;
}

/** Returns the schema with its references replaced by the named schemas. */
export function withoutReferences(schema: Schema, named: Record<string, Schema>): Schema {
  const { $ref, ...own } = schema;
  if ($ref !== undefined) return withoutReferences(named[$ref.replace("#/components/schemas/", "")] ?? own, named);
  const { anyOf, items, properties, additionalProperties } = schema;
  const resolve = (part: Schema) => withoutReferences(part, named);
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(resolve) }),
    ...(items && { items: resolve(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, resolve(part)])),
    }),
    ...(typeof additionalProperties === "object" && { additionalProperties: resolve(additionalProperties) }),
  };
}

/** Returns the fields of a schema in order, each followed by its children. */
export function listFields(schema: Schema, path = "", depth = 0): Field[] {
  const fields = objectsIn(schema).flatMap(({ properties = {}, required = [], additionalProperties }) => {
    const children = Object.entries(properties);
    if (typeof additionalProperties === "object") children.push(["{id}", additionalProperties]);
    return children.flatMap(([name, child]) => {
      const own = path === "" ? name : `${path}.${name}`;
      const field = {
        path: own,
        name,
        depth,
        type: typeName(child),
        isRequired: required.includes(name),
        limits: describeLimits(child),
        description: child.description ?? "",
      };
      return [field, ...listFields(child, child.type === "array" ? `${own}[]` : own, depth + 1)];
    });
  });
  // Several shapes of a union may have the same field.
  const byPath = new Map(fields.toReversed().map((field) => [field.path, field]));
  return fields.filter((field) => byPath.get(field.path) === field);
}

/** Returns the object schemas in a schema, looking into unions and lists. */
function objectsIn(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(objectsIn);
  if (schema.items) return objectsIn(schema.items);
  return schema.properties || schema.additionalProperties ? [schema] : [];
}

/** Returns the type of a schema, such as `string`, `"asc" | "desc"` or `object[]`. */
export function typeName(schema: Schema): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeName))].join(" | ");
  if (schema.type === "array") {
    const item = typeName(schema.items ?? {});
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  return schema.type ?? "any";
}

function describeLimits(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, maxProperties, pattern, format } = schema;
  return [
    between(minLength, maxLength, " characters"),
    between(minItems, maxItems, " items"),
    between(minimum, maximum, ""),
    between(undefined, maxProperties, " properties"),
    pattern && `pattern ${pattern}`,
    format,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((limit) => typeof limit === "string" && limit !== "")
    .join(", ");
}

function between(least: number | undefined, most: number | undefined, noun: string): string {
  if (least !== undefined && most !== undefined) return `${formatCount(least)} to ${formatCount(most)}${noun}`;
  if (least !== undefined) return `at least ${formatCount(least)}${noun}`;
  return most === undefined ? "" : `at most ${formatCount(most)}${noun}`;
}
