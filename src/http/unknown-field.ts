import type { TSchema } from "typebox";
import { similarName } from "../config/similar-name.ts";
import { isObject } from "../json/is-object.ts";
import { valueAt } from "./json-pointer.ts";

/** Maximum number of characters of a field's name that a message repeats. */
const MAX_NAME = 100;
/** Maximum number of fields of an object that a message lists. */
const MAX_LISTED = 15;

/** A field that the schema of an object does not name. */
interface UnknownField {
  name: string;
  /** Path of the field, such as `data.activities[0].name`. */
  path: string;
  /** Place of the object in the schema. */
  pointer: string;
  /** What was sent as the object. */
  object: unknown;
}

/**
 * Returns what is wrong with an unknown field, and the name that was probably meant: a similar one at the same place,
 * else the place where a field of this name belongs, else the only longer name at the same place. If there is none, it
 * returns the fields of the object, unless they are many, and those that are missing.
 * `noun` says what the fields belong to.
 */
export function describeUnknownField(
  schema: TSchema,
  { name, path, pointer, object }: UnknownField,
  noun: string,
): string {
  const names = namesAt(schema, pointer);
  // Another kind of the same object may have the field.
  const own = path.replace(/\[\d+\]/g, "[]");
  const isMeant = (place: string) => place.endsWith(`.${name}`) && place !== own;
  const meant = similarName(name, names) ?? getPlaces(schema, "data").find(isMeant) ?? longerName(name, names);
  const hint = meant ? ` Did you mean ${meant}?` : describeFields(schema, pointer, names, object);
  return `is not a field of this ${noun}.${hint}`;
}

/** Returns the only name that ends with another one, such as `anchorEditorIds` with `editorId`. */
function longerName(name: string, names: string[]): string | undefined {
  const ending = singular(name);
  const longer = ending === "" ? [] : names.filter((known) => singular(known).endsWith(ending));
  return longer.length === 1 ? longer[0] : undefined;
}

function singular(name: string): string {
  return name.toLowerCase().replace(/s$/, "");
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
