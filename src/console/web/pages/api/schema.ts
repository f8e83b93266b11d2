/** What of JSON Schema the service's description uses. */
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

/** A line of the list of fields. */
export interface Field {
  /** From the outermost object on, with `[]` behind lists and `{id}` for any name. */
  path: string;
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  /** Such as "1 to 256 characters"; empty where there are none. */
  limits: string;
  description: string;
}

/** The fields below a schema in the order of the description, each followed by its own. */
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
  // One of several shapes may have what another has.
  const byPath = new Map(fields.toReversed().map((field) => [field.path, field]));
  return fields.filter((field) => byPath.get(field.path) === field);
}

/** The objects that a value of the schema is, or is a list of. */
function objectsIn(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(objectsIn);
  if (schema.items) return objectsIn(schema.items);
  return schema.properties || schema.additionalProperties ? [schema] : [];
}

/** Such as `string`, `"asc" | "desc"` or `object[]`. */
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
    between(undefined, maxProperties, " names"),
    pattern && `like ${pattern}`,
    format,
    schema.default !== undefined && `by default ${JSON.stringify(schema.default)}`,
  ]
    .filter((limit) => typeof limit === "string" && limit !== "")
    .join(", ");
}

function between(least: number | undefined, most: number | undefined, noun: string): string {
  if (least !== undefined && most !== undefined) return `${count(least)} to ${count(most)}${noun}`;
  if (least !== undefined) return `at least ${count(least)}${noun}`;
  return most === undefined ? "" : `at most ${count(most)}${noun}`;
}

const COUNT = new Intl.NumberFormat("en");

function count(value: number): string {
  return COUNT.format(value);
}
