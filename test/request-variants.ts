import { Check } from "typebox/value";
import { pathText } from "../src/contract/path-text.ts";
import { isObject } from "../src/json/is-object.ts";

/** The part of JSON Schema that the contracts use. */
export interface SchemaNode {
  type?: string;
  enum?: unknown[];
  pattern?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: unknown;
  maxProperties?: number;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Field {
  /** Path that error messages use, such as `data.activities[0].id`. */
  name: string;
  steps: (string | number)[];
  schema: SchemaNode;
  isRequired: boolean;
}

/** A value of each JSON type. */
const VALUES: [type: string, value: unknown][] = [
  ["null", null],
  ["boolean", true],
  ["number", 1.5],
  ["string", "no such value"],
  ["array", []],
  ["object", {}],
];

const INVALID_IDENTIFIERS = ["", "x".repeat(257), "\0", "line\n", "\x7f", "\x9f", "\ud800"];

/** Other names of fields. An object has a field under one of its names. */
const ALIASES: Record<string, string> = { comments: "commentData" };

/** Returns all fields in the schema at every depth. A list is represented by its first item. */
export function getFields(schema: SchemaNode, steps: Field["steps"] = []): Field[] {
  const node = structuredBranch(schema);
  if (node.items) return fieldAt(node.items, [...steps, 0], false);
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    fieldAt(child, [...steps, name], node.required?.includes(name) ?? false),
  );
}

function fieldAt(schema: SchemaNode, steps: Field["steps"], isRequired: boolean): Field[] {
  return [{ name: pathText(["data", ...steps]), steps, schema, isRequired }, ...getFields(schema, steps)];
}

/**
 * Returns the example with all fields of the schema, each under its first name. Skips a field if the sample for its
 * type is not valid.
 */
export function fullRequest(schema: SchemaNode, example: unknown): unknown {
  const node = structuredBranch(schema);
  if (node.items) {
    const { items } = node;
    return (Array.isArray(example) ? example : [undefined]).map((item) => fullRequest(items, item));
  }
  if (!node.properties) return example ?? buildSample(node);
  const given = isObject(example) ? example : {};
  const { properties } = node;
  const filled = Object.entries(properties).flatMap(([name, child]) => {
    const alias = ALIASES[name];
    if (alias !== undefined && alias in properties) return [];
    const value = fullRequest(child, given[name]);
    return name in given || Check(child, value) ? [[name, value]] : [];
  });
  return { ...given, ...Object.fromEntries(filled) };
}

/** Returns values that the field must not have. `undefined` stands for a missing field. */
export function invalidValues({ schema, isRequired }: Pick<Field, "schema" | "isRequired">): unknown[] {
  const { minLength, maxLength, minItems = 0, maxItems, items = {} } = schema;
  const counts = maxItems === undefined ? [] : [minItems - 1, maxItems + 1].filter((count) => count >= 0);
  return [
    ...(isRequired ? [undefined] : []),
    ...wrongValues(schema),
    ...(minLength === 1 && maxLength === 256 ? INVALID_IDENTIFIERS : []),
    ...counts.map((count) => Array(count).fill(fullRequest(items, undefined))),
  ];
}

/** Returns a value of each JSON type that the schema does not allow, and one that is not in its enum or pattern. */
function wrongValues(schema: SchemaNode): unknown[] {
  const allowed = getTypes(schema);
  const mistyped = VALUES.filter(([type]) => allowed && !allowed.includes(type)).map(([, value]) => value);
  return schema.enum || schema.pattern ? [...mistyped, "no such value!"] : mistyped;
}

/** Returns the allowed JSON types, or undefined if all are. */
function getTypes({ type, enum: values, const: value, anyOf }: SchemaNode): string[] | undefined {
  if (anyOf) {
    const types = anyOf.map(getTypes);
    return types.includes(undefined) ? undefined : types.flatMap((branch) => branch ?? []);
  }
  if (values || value !== undefined) return [...new Set((values ?? [value]).map((one) => typeof one))];
  return type === undefined ? undefined : [type];
}

/** Returns a copy of the request that has the fields on the way to a field under the names in its steps. */
export function renameFields(request: unknown, [step, ...rest]: Field["steps"]): unknown {
  if (step === undefined) return request;
  if (Array.isArray(request)) {
    return request.map((item, index) => (index === step ? renameFields(item, rest) : item));
  }
  if (!isObject(request)) return request;
  const alias = ALIASES[step];
  const entries = Object.entries(request).map(([name, value]) => [name === alias ? step : name, value]);
  const renamed = Object.fromEntries(entries);
  return step in renamed ? { ...renamed, [step]: renameFields(renamed[step], rest) } : renamed;
}

/** Returns a copy of the request in which the field has another value, or is missing if there is no value. */
export function changeField(request: unknown, [step, ...rest]: Field["steps"], value?: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(request))
    return request.map((item, index) => (index === step ? changeField(item, rest, value) : item));
  const object = isObject(request) ? request : {};
  const changed = changeField(object[step], rest, value);
  const others = Object.entries(object).filter(([name]) => name !== step);
  return Object.fromEntries(changed === undefined ? others : [...others, [step, changed]]);
}

/** Returns a copy of the request with the fields of `unknown` in every object whose fields the schema lists. */
export function withUnknownFields(schema: SchemaNode, request: unknown, unknown: object): unknown {
  const node = structuredBranch(schema);
  if (Array.isArray(request)) return request.map((item) => withUnknownFields(node.items ?? {}, item, unknown));
  if (!isObject(request) || !node.properties || node.additionalProperties) return request;
  const { properties } = node;
  const entries = Object.entries(request).map(([name, value]) => [
    name,
    withUnknownFields(properties[name] ?? {}, value, unknown),
  ]);
  return { ...Object.fromEntries(entries), ...unknown };
}

/** Returns the branch of a union that has fields or items, and any other schema unchanged. */
function structuredBranch(schema: SchemaNode): SchemaNode {
  const { anyOf } = schema;
  return anyOf ? (anyOf.find(({ properties, items }) => properties ?? items) ?? anyOf[0] ?? {}) : schema;
}

function buildSample(node: SchemaNode): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  if (node.type === "boolean") return true;
  if (node.type === "integer" || node.type === "number") return node.minimum ?? 1;
  if (node.type === "object") return {};
  return "text";
}

/** Returns a request body that is padded with spaces to this length. */
export function largeBody(data: unknown, bytes: number): Uint8Array {
  const body = Buffer.alloc(bytes, " ");
  body.write(JSON.stringify({ data }));
  return body;
}
