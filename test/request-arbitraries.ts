import fc from "fast-check";
import { Check } from "typebox/value";
import { isObject } from "../src/json/is-object.ts";
import { anyJson, anyText, buildObject } from "./json-values.ts";
import { changeField, getFields, invalidValues, type SchemaNode } from "./request-variants.ts";

/** Values by field name. Fields and list items have one of them in nine of ten requests, so that calls interact. */
export interface PreferredValues {
  [field: string]: readonly unknown[];
  /** Values of all other identifiers. */
  identifier: readonly string[];
}

/** Maximum nesting depth of a body. */
const MAX_DEPTH = 64;
/** Nesting depth of `data` in a body. */
const LEVELS_AROUND_DATA = 1;
/** Placeholder that `buildBody` replaces by 1e400, which JSON.stringify cannot write. */
const TOO_LARGE_NUMBER = "the number 1e400";
const HOSTILE_TEXTS = [
  "",
  " ",
  "__proto__",
  "\0",
  "\ud800",
  "😀".repeat(128),
  "x".repeat(256),
  "'\"\\",
  "a\u0301".repeat(9e3),
];
const WRONG_VALUES = [null, [], {}, [[[]]], { data: {} }, "", "\0", "x".repeat(100_000), -1, 0.5, TOO_LARGE_NUMBER];
/** Maximum length of an item in a list of maximum length, which would exceed the limit of a body otherwise. */
const MAX_LENGTH_IN_FULL_LIST = 1_000;

/** Returns requests that the schema accepts. They have no page token, which only a response provides. */
export function validRequests(schema: SchemaNode, preferred: PreferredValues): fc.Arbitrary<unknown> {
  return buildValues(schema, { name: "data", level: LEVELS_AROUND_DATA, preferred });
}

/** Returns requests that the schema rejects, each derived from one that it accepts. */
export function invalidRequests(schema: SchemaNode, requests: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrongFields = getFields(schema).map((field) =>
    fc
      .tuple(requests, fc.constantFrom(...invalidValues(field), ...WRONG_VALUES))
      .map(([request, value]) => changeField(request, field.steps, value)),
  );
  const misplaced = requests.chain((request) => fc.constantFrom([request], { data: request }, { request }));
  const others = fc.oneof(misplaced, anyJson, fc.constantFrom(...WRONG_VALUES));
  return fc
    .oneof({ weight: 2 * wrongFields.length, arbitrary: fc.oneof(others, ...wrongFields) }, others)
    .filter((request) => !Check(schema, JSON.parse(JSON.stringify(request))));
}

/** Returns the request with the items of each list repeated. */
export function withDuplicates(request: unknown): unknown {
  if (Array.isArray(request)) return [...request, ...request];
  if (!isObject(request)) return request;
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, withDuplicates(value)]));
}

/** Returns the request as a body. */
export function buildBody(data: unknown): string {
  return JSON.stringify({ data }).replaceAll(JSON.stringify(TOO_LARGE_NUMBER), "1e400");
}

interface FieldContext {
  /** Name of the field, or of the list that contains the item. */
  name: string;
  /** Number of objects and lists around the field. */
  level: number;
  preferred: PreferredValues;
}

function buildValues(schema: SchemaNode, place: FieldContext): fc.Arbitrary<unknown> {
  const preferred = place.preferred[place.name] ?? (isIdentifier(schema) ? place.preferred.identifier : []);
  const accepted = preferred.filter((value) => Check(schema, value));
  const isRefined = schema.type === "string" && "~refine" in schema;
  // Finding a time zone among random texts would take half a minute.
  const others = isRefined && accepted.length > 0 ? fc.constantFrom(...accepted) : buildAnyValues(schema, place);
  const values =
    accepted.length === 0
      ? others
      : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...accepted) }, { weight: 1, arbitrary: others });
  return values.filter((value) => Check(schema, value));
}

/** Returns values of the schema's type. The schema may reject some of them. */
function buildAnyValues(schema: SchemaNode, place: FieldContext): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => buildValues(branch, place)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return buildNumbers(schema);
    case "string":
      return buildTexts(schema);
    case "array":
      return buildLists(schema, place);
    case "object":
      return buildObjects(schema, place);
    case undefined:
      return freeValues(place.level);
    default:
      throw new Error(`No requests can be generated for ${JSON.stringify(schema)}`);
  }
}

function buildNumbers({ type, minimum: min = -1e300, maximum: max = 1e300 }: SchemaNode): fc.Arbitrary<number> {
  const extremes = fc.constantFrom(min, max, 0, 1, 2 ** 53, -0).filter((number) => min <= number && number <= max);
  const isSmall = max < 2 ** 53;
  const integers = fc.integer({ min: Math.max(min, -(2 ** 31)), max: isSmall ? max : 2 ** 31 - 1 });
  const others = type === "integer" ? integers : fc.double({ min, max, noNaN: true });
  return fc.oneof(extremes, integers, others);
}

function buildTexts({ maxLength = Number.POSITIVE_INFINITY }: SchemaNode): fc.Arbitrary<string> {
  return fc.oneof(anyText, fc.constantFrom(...HOSTILE_TEXTS)).map((text) => text.slice(0, maxLength));
}

/** Returns lists without repetitions, which most operations reject. Some have the maximum length. */
function buildLists(
  { items = {}, minItems = 0, maxItems = 4 }: SchemaNode,
  place: FieldContext,
): fc.Arbitrary<unknown[]> {
  const item = buildValues(items, { ...place, level: place.level + 1 });
  const identity = Object.entries(items.properties ?? {}).find(([, field]) => isIdentifier(field))?.[0];
  const short = fc.uniqueArray(item, {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
    selector: (value) => (identity !== undefined && isObject(value) ? value[identity] : value),
    comparator: (one, other) => one !== undefined && one === other,
  });
  const full = item.map((value) => {
    const isLong = JSON.stringify(value).length > MAX_LENGTH_IN_FULL_LIST;
    return Array.from({ length: isLong ? minItems : maxItems }, (_, index) => {
      if (identity !== undefined && isObject(value)) return { ...value, [identity]: `many-${index}` };
      return isIdentifier(items) ? `many-${index}` : value;
    });
  });
  return fc.oneof({ weight: 100, arbitrary: short }, { weight: 1, arbitrary: full });
}

function buildObjects(schema: SchemaNode, place: FieldContext): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const level = place.level + 1;
  const fields = Object.entries(properties)
    // The schema of a rejected field is `false`.
    .filter(([name, field]) => name !== "pageToken" && isObject(field))
    .map(([name, field]) => [name, buildValues(field, { ...place, name, level })] as const);
  const all = fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: required });
  const needed = fc.record<Record<string, unknown>>(
    Object.fromEntries(fields.filter(([name]) => required.includes(name))),
  );
  // Requests with all filters hardly ever match a record.
  const known = fc.oneof(all, needed);
  if (!additionalProperties) return known;
  const values = isObject(additionalProperties)
    ? buildValues(additionalProperties, { ...place, level })
    : freeValues(level);
  return fc.tuple(buildObject(values), known).map(([further, own]) => ({ ...further, ...own }));
}

/** Returns any JSON values, some of them with the maximum nesting depth. */
function freeValues(level: number): fc.Arbitrary<unknown> {
  const deepest = fc.boolean().map((isList) => nested(MAX_DEPTH - level, isList));
  return fc.oneof(
    { weight: 20, arbitrary: anyJson },
    { weight: 1, arbitrary: deepest },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS, TOO_LARGE_NUMBER) },
  );
}

function nested(levels: number, isList: boolean): unknown {
  let value: unknown = "[[[[{{{{";
  for (let level = 0; level < levels; level++) value = isList ? [value] : { "": value };
  return value;
}

function isIdentifier({ minLength, maxLength }: SchemaNode): boolean {
  return minLength === 1 && maxLength === 256;
}
