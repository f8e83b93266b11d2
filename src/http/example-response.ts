import { Check } from "typebox/schema";
import type { Operation } from "../contract/operation.ts";
import { isObject } from "../json/is-object.ts";
import { FIELD_EXAMPLES, UUID } from "./field-examples.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Values of the request that the response repeats. */
interface Sent {
  /** Values by the name of their field. */
  values: ReadonlyMap<string, unknown>;
  /** IDs of the records that the request is about. */
  ids: readonly (string | number)[];
}

/**
 * Returns a response of the operation that the schema accepts. A field has the value that a field of its name has in
 * the example request or in FIELD_EXAMPLES, or the `examples`, `const`, `enum` or `default` of its schema. Optional
 * fields are shown only if they have a value by their name. Returns undefined if a required field has none, since an
 * invented text would look like real data.
 */
export function buildExampleResponse(schema: JsonSchema, { example, message }: Operation): unknown {
  const ids = idsIn(example);
  const values = new Map<string, unknown>(Object.entries({ id: ids[0] ?? UUID, message }));
  collectValues(example, values);
  return buildExample(schema, "", { values, ids: ids.length > 0 ? ids : [UUID] });
}

/** Returns the value for a field of this name. A boolean is true, and null is the last choice. */
function buildExample(schema: JsonSchema, name: string, sent: Sent): unknown {
  const named = exampleByName(schema, name, sent);
  if (named !== undefined) return named;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema) return schema.default;
  if (schema.type === "boolean") return true;
  if (Array.isArray(schema.anyOf)) return buildAnyExample(schema.anyOf, name, sent);
  if (schema.type === "array" && isObject(schema.items)) return getList(buildExample(schema.items, name, sent));
  if (isObject(schema.additionalProperties)) return buildMapExample(schema.additionalProperties, name, sent);
  if (isObject(schema.properties)) return buildObjectExample(schema.properties, schema.required, sent);
  return schema.type === "null" ? null : undefined;
}

function exampleByName(schema: JsonSchema, name: string, { values }: Sent): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  const candidates = [values.get(name), ...(FIELD_EXAMPLES[name] ?? [])];
  return candidates.find((candidate) => candidate !== undefined && Check(schema, candidate));
}

function buildAnyExample(branches: unknown[], name: string, sent: Sent): unknown {
  const examples = branches.map((branch) => (isObject(branch) ? buildExample(branch, name, sent) : undefined));
  return examples.find((example) => example !== undefined && example !== null) ?? examples.find((one) => one === null);
}

/** Returns an entry for each ID of the request. */
function buildMapExample(entry: JsonSchema, name: string, { values, ids }: Sent): JsonSchema | undefined {
  const entries = ids.map((id) => [id, buildExample(entry, name, { values: new Map([...values, ["id", id]]), ids })]);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}

function buildObjectExample(properties: JsonSchema, required: unknown, sent: Sent): JsonSchema | undefined {
  const result: JsonSchema = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const isRequired = Array.isArray(required) && required.includes(name);
    const value = isRequired ? buildExample(property, name, sent) : exampleByName(property, name, sent);
    if (value !== undefined) result[name] = value;
    else if (isRequired) return undefined;
  }
  return result;
}

function getList(item: unknown): unknown[] | undefined {
  return item === undefined ? undefined : [item];
}

/** Names whose meaning depends on the object that has them. */
const NAMES_OF_PARTS = ["id", "name", "type"];

/** Adds the first value of each field of the request, at any depth, and the first of `userIds` as `userId`. */
function collectValues(request: unknown, values: Map<string, unknown>, isPart = false): void {
  if (Array.isArray(request)) for (const item of request) collectValues(item, values, true);
  if (!isObject(request)) return;
  for (const [name, value] of Object.entries(request)) {
    if (!values.has(name) && !(isPart && NAMES_OF_PARTS.includes(name))) values.set(name, value);
    if (name.endsWith("Ids") && Array.isArray(value)) values.set(name.slice(0, -1), value[0]);
    collectValues(value, values, true);
  }
}

/**
 * Returns the IDs that the request is about: those of its first list of IDs or items, or the last of the IDs that name
 * a record in a document or workspace.
 */
function idsIn(request: unknown): (string | number)[] {
  if (!isObject(request)) return [];
  for (const [name, value] of Object.entries(request)) {
    const items: unknown[] = Array.isArray(value) ? value : [];
    const ids = items.map((item) => (isObject(item) ? fieldsWithId(item)[0] : name.endsWith("Ids") && item));
    if (ids.some(isId)) return ids.filter(isId);
  }
  const { organizationId: _, documentId: __, userId: ___, ...others } = request;
  return fieldsWithId(others).filter(isId).slice(-1);
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function fieldsWithId(item: object): unknown[] {
  return Object.entries(item).flatMap(([name, value]) => (/(^i|I)d$/.test(name) ? [value] : []));
}
