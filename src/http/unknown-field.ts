import type { TSchema } from "typebox";
import { isObject } from "../json/is-object.ts";
import { valueAt } from "./json-pointer.ts";

/** Maximum number of characters of a field's name that a message repeats. */
const MAX_NAME = 100;
/** Maximum number of typing errors for which a name is suggested. */
const MAX_TYPING_ERRORS = 2;
/** Maximum number of typing errors in a name of less than six characters. */
const MAX_IN_SHORT_NAMES = 1;

/** Maximum number of fields of an object that a message lists. */
const MAX_LISTED = 15;

/** A field that the schema of an object does not name. */
interface UnknownField {
  name: string;
  /** Place of the object in the schema. */
  pointer: string;
  /** What was sent as the object. */
  object: unknown;
}

/**
 * Returns what is wrong with an unknown field, and the name that was probably meant: a similar one at the same place,
 * else the place where a field of this name belongs. If there is none, it returns the fields of the object, unless they
 * are many, and those that are missing. `noun` says what the fields belong to.
 */
export function describeUnknownField(schema: TSchema, { name, pointer, object }: UnknownField, noun: string): string {
  const names = namesAt(schema, pointer);
  const meant = similarName(name, names) ?? getPlaces(schema, "data").find((place) => place.endsWith(`.${name}`));
  const hint = meant ? ` Did you mean ${meant}?` : describeFields(schema, pointer, names, object);
  return `is not a field of this ${noun}.${hint}`;
}

function describeFields(schema: TSchema, pointer: string, names: string[], object: unknown): string {
  const { required } = Object(valueAt(schema, pointer));
  const missing = (Array.isArray(required) ? required : []).filter((name) => !Object.hasOwn(Object(object), name));
  const listed = names.length > 0 && names.length <= MAX_LISTED ? ` The fields are ${enumerate(names)}.` : "";
  return `${listed}${missing.length > 0 ? ` Missing: ${enumerate(missing)}.` : ""}`;
}

function enumerate(names: string[]): string {
  return new Intl.ListFormat("en").format(names);
}

/** Returns the beginning of a name that may be as long as a body. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Returns the known name with the fewest typing errors, if there are few. Upper and lower case do not matter. */
export function similarName(name: string, known: string[]): string | undefined {
  const most = name.length < 6 ? MAX_IN_SHORT_NAMES : MAX_TYPING_ERRORS;
  const candidates = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= most)
    .map((candidate) => ({ candidate, errors: typingErrors(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ errors }) => errors <= most);
  return candidates.sort((one, other) => one.errors - other.errors)[0]?.candidate;
}

/** Returns the edit distance in which swapping two neighbors is one step (optimal string alignment). */
function typingErrors(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isEqual ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, next];
  }
  return at(last, other.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}

/** Returns the names of the fields of the object schema at a JSON pointer such as `#/properties/activities/items`. */
function namesAt(schema: TSchema, pointer: string): string[] {
  const node = valueAt(schema, pointer);
  const fields = isObject(node) ? Object.entries(Object(node.properties)) : [];
  return fields.filter(([, field]) => field !== false).map(([name]) => name);
}

/** Returns the paths of all fields of the schema: `data.activities[].actionUser.userId`. */
function getPlaces(node: unknown, path: string): string[] {
  if (!isObject(node)) return [];
  const fields = Object.entries(Object(node.properties)).flatMap(([name, field]) =>
    field === false ? [] : [`${path}.${name}`, ...getPlaces(field, `${path}.${name}`)],
  );
  const branches = Array.isArray(node.anyOf) ? node.anyOf.flatMap((branch) => getPlaces(branch, path)) : [];
  return [...fields, ...getPlaces(node.items, `${path}[]`), ...branches];
}
