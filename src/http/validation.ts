import type { TSchema } from "typebox";
import type { TLocalizedValidationError as ValidationError } from "typebox/error";
// "typebox/compile" would load 146 modules and 3 MB of conversions and defaults that nothing here uses.
import { Compile } from "typebox/schema";
import { Settings } from "typebox/system";
import { formatCount } from "../config/format-limit.ts";
import { similarName } from "../config/similar-name.ts";
import {
  type Issue,
  invalidField,
  invalidFields,
  MAX_ISSUES,
  ServiceError,
  unknownFields,
} from "../contract/errors.ts";
import { pathText } from "../contract/path-text.ts";
import { isObject } from "../json/is-object.ts";
import { buildSample } from "./error-sample.ts";
import { escapePointer, namesIn, valueAt } from "./json-pointer.ts";
import { strictSchema } from "./strict-schema.ts";
import { compileTrim } from "./trimmed-texts.ts";
import { describeUnknownField, shortName } from "./unknown-field.ts";

Settings.Set({ maxErrors: MAX_ISSUES });

/**
 * Compiles a check that returns `data` of a body, or throws INVALID_ARGUMENT with the first issue as its message and
 * all of them (100 at most) in `details.issues`. Unknown fields come first, because they explain other issues: a
 * mistyped field is also missing. Trims texts that the schema declares as trimmed. `noun` says what the fields belong
 * to.
 */
export function compileValidation(schema: TSchema, noun = "operation"): Validation {
  const strict = strictSchema(schema);
  const validator = Compile(strict);
  const mayBeEmpty = validator.Check({});
  const trim = compileTrim(schema);

  const validate = (body: unknown) => {
    const data = getData(body, mayBeEmpty);
    trim?.(data);
    if (validator.Check(data)) return data;
    const sample = buildSample(strict, data);
    const errors = settleUnions(validator.Errors(sample)[1]);
    const unknown = errors.filter(isUnknownField).map((error) => unknownField(schema, error, sample, noun));
    const invalid = describe(schema, errors, sample);
    const [first, ...others] = [...unknown, ...invalid];
    if (first === undefined) throw invalidField("data", "is invalid beyond the first 1,001 items");
    throw unknown.length > 0 ? unknownFields(first, ...others) : invalidFields(first, ...others);
  };
  function findInvalid(data: object): InvalidValue[] {
    if (validator.Check(data)) return [];
    const errors = settleUnions(validator.Errors(buildSample(strict, data))[1]);
    return errors.map((error) => ({ pointer: error.instancePath, isUnknown: isUnknownField(error) }));
  }
  return Object.assign(validate, { findInvalid });
}

/** A place in `data`. */
export interface InvalidValue {
  /** A JSON pointer. */
  pointer: string;
  /** Whether it is a field that the request does not have. */
  isUnknown: boolean;
}

export interface Validation {
  (body: unknown): object;
  /** Returns the first invalid values of `data`, and places that are invalid because of them; none if it is valid. */
  findInvalid(data: object): InvalidValue[];
}

/** TypeBox reports a field that `additionalProperties: false` forbids as one whose schema is `false`. */
function isUnknownField({ keyword }: ValidationError): boolean {
  return keyword === "boolean";
}

function unknownField(
  schema: TSchema,
  { schemaPath, instancePath }: ValidationError,
  data: unknown,
  noun: string,
): Issue {
  const objectPath = schemaPath.slice(0, schemaPath.lastIndexOf("/"));
  const name = namesIn(instancePath).at(-1) ?? "";
  const path = pathText([...getSteps(instancePath, data).slice(0, -1), shortName(name)]);
  const object = valueAt(Object(data), instancePath.slice(0, instancePath.lastIndexOf("/")));
  return { path, message: describeUnknownField(schema, { name, path, pointer: objectPath, object }, noun) };
}

/** Returns the body with the fields in `data` where `organizationId` is at its top level, beside them. */
export function bareFieldsInData(body: unknown): unknown {
  return isObject(body) && Object.hasOwn(body, "organizationId") ? { data: body } : body;
}

function getData(body: unknown, mayBeEmpty: boolean): object {
  if (body !== undefined && !isObject(body))
    throw new ServiceError("body_invalid", 'The body must be a JSON object: { "data": { … } }.');
  const unknown = Object.keys(body ?? {}).find((name) => name !== "data");
  if (unknown !== undefined) {
    const hint = similarName(unknown, ["data"]) ? "Did you mean data?" : 'All fields belong in data: { "data": { … } }';
    const message = `is not a field of the body. ${hint}`;
    throw unknownFields({ path: shortName(unknown), message });
  }
  const data = body?.data;
  if (data === undefined && mayBeEmpty) return {};
  if (data === undefined) throw invalidField("data", 'is required: { "data": { … } }');
  if (!isObject(data)) throw invalidField("data", "must be an object");
  return data;
}

/** Returns one issue per known field, in the order of the schema. */
function describe(schema: TSchema, errors: ValidationError[], data: unknown): Issue[] {
  const issues = new Map<string, Issue>();
  for (const { path, message } of errors.flatMap((error) => describeOne(schema, error, data))) {
    const readable = getPath(path, data);
    if (!issues.has(readable)) issues.set(readable, { path: readable, message });
  }
  return [...issues.values()];
}

function settleUnions(errors: ValidationError[]): ValidationError[] {
  let relevant = errors;
  for (const union of errors.filter((error) => error.keyword === "anyOf")) relevant = settleUnion(union, relevant);
  return relevant;
}

/**
 * Keeps the errors of the branch with the value's JSON type. If there is no such branch, the error is the type. Of
 * several branches, keeps the one that the value fits best: with the fewest unknown or missing fields.
 */
function settleUnion(union: ValidationError, errors: ValidationError[]): ValidationError[] {
  const prefix = `${union.schemaPath}/anyOf/`;
  const inside = errors.filter((error) => error.schemaPath.startsWith(prefix));
  const getBranch = (error: ValidationError) => error.schemaPath.slice(prefix.length).split("/", 1)[0];
  const mistyped = new Map<string | undefined, string>();
  for (const error of inside) {
    if (error.keyword === "type" && error.instancePath === union.instancePath) {
      mistyped.set(getBranch(error), String(error.params.type));
    }
  }
  const kept = inside.filter((error) => !mistyped.has(getBranch(error)));
  const outside = errors.filter((error) => error !== union && !inside.includes(error));
  if (kept.length > 0) return [...outside, ...keepBestBranch(Map.groupBy(kept, getBranch))];
  const message = `must be ${[...new Set(mistyped.values())].map(withArticle).join(" or ")}`;
  return [...outside, { ...union, keyword: "~refine", params: { index: 0, message }, message }];
}

function keepBestBranch(branches: Map<unknown, ValidationError[]>): ValidationError[] {
  const countFields = (errors: ValidationError[]) =>
    errors.reduce(
      (count, error) =>
        count + (error.keyword === "required" ? error.params.requiredProperties.length : Number(isUnknownField(error))),
      0,
    );
  const [best = []] = [...branches.values()].sort((one, other) => countFields(one) - countFields(other));
  return best;
}

function describeOne(schema: TSchema, error: ValidationError, data: unknown): Issue[] {
  const path = error.instancePath;
  switch (error.keyword) {
    case "required":
      return error.params.requiredProperties.map((name) => ({
        path: `${path}/${escapePointer(name)}`,
        message: "is required",
      }));
    case "type":
      return [{ path, message: `must be ${describeType(schema, error, valueAt(Object(data), path))}` }];
    case "enum":
      return [{ path, message: `must be one of ${error.params.allowedValues.join(", ")}` }];
    case "const":
      return [{ path, message: `must be ${JSON.stringify(error.params.allowedValue)}` }];
    case "minLength":
      return [{ path, message: error.params.limit === 1 ? "must not be empty" : `must have at least ${units(error)}` }];
    case "maxLength":
      return [{ path, message: `must have at most ${units(error)}` }];
    case "pattern":
      return [{ path, message: getRule(schema, error.schemaPath) }];
    case "minItems":
      return [{ path, message: `must have at least ${items(error.params.limit)}` }];
    case "maxItems":
      return [{ path, message: `must have at most ${items(error.params.limit)}` }];
    case "minimum":
      return [{ path, message: `must be at least ${error.params.limit}` }];
    case "maximum":
      return [{ path, message: `must be at most ${error.params.limit}` }];
    // Unknown fields are described on their own.
    case "boolean":
    case "if":
    // These accompany errors that name the field itself.
    case "additionalProperties":
    case "propertyNames":
      return [];
    default:
      return [{ path, message: error.message }];
  }
}

/** Returns the types of a field, and the unit of a time if its text was sent instead. */
function describeType(
  schema: TSchema,
  { params, schemaPath }: ValidationError & { keyword: "type" },
  value: unknown,
): string {
  const types = [params.type].flat().map(withArticle).join(" or ");
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  const { description } = Object(valueAt(schema, schemaPath));
  const [, unit] = /\b(milliseconds|seconds) since the epoch/i.exec(String(description)) ?? [];
  if (Number.isNaN(time) || !unit) return types;
  const given = unit.toLowerCase() === "seconds" ? Math.floor(time / 1_000) : time;
  return `${types}, the time in ${unit.toLowerCase()} since the epoch, such as ${given}`;
}

/** Returns what the first sentence of the description says about a field with a pattern: "must only have letters". */
function getRule(schema: TSchema, pointer: string): string {
  const [rule = ""] = String(Reflect.get(Object(valueAt(schema, pointer)), "description")).split(". ", 1);
  return `${rule.slice(0, 1).toLowerCase()}${rule.slice(1)}`;
}

function units(error: { params: { limit: number } }): string {
  return `${error.params.limit} characters`;
}

function items(limit: number): string {
  return limit === 1 ? "1 item" : `${formatCount(limit)} items`;
}

function withArticle(type: string): string {
  return type === "null" ? "null" : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** Converts `/activities/0/featureType` to `data.activities[0].featureType`. */
function getPath(pointer: string, data: unknown): string {
  return pathText(getSteps(pointer, data));
}

function getSteps(pointer: string, data: unknown): (string | number)[] {
  const path: (string | number)[] = ["data"];
  let value: unknown = data;
  for (const segment of namesIn(pointer)) {
    path.push(Array.isArray(value) ? Number(segment) : segment);
    value = isObject(value) || Array.isArray(value) ? Reflect.get(value, segment) : undefined;
  }
  return path;
}
