import Type from "typebox";
import { isObject } from "../json/is-object.ts";
import { Identifier, isIdentifier, openExcept } from "./schema.ts";

/** Maximum number of pairs of a record or of a resource that grants them. */
const MAX_PAIRS = 200;
const RESERVED_NAME = "organizationPrivate";

function isFieldName(name: string): boolean {
  return name !== "" && isIdentifier(name) && !name.includes(":") && !name.startsWith("__") && name !== RESERVED_NAME;
}

/** Values by field, of which each is a pair. A number and its text are the same value. */
export const AccessPairs = Type.Refine(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union([Identifier, Type.Number()]),
      maxProperties: MAX_PAIRS,
      description: "Strings or numbers by field. The number `7` and the string `7` are equal.",
    },
  ),
  (pairs) => Object.keys(pairs).every(isFieldName),
  () =>
    "must have names of 1 to 256 characters without colons and control characters, which are not " +
    `${RESERVED_NAME} and do not start with __`,
);

/** Context of a record whose `access` says which pairs a user needs to see it. */
export const AccessContext = Type.Object(
  {},
  {
    ...openExcept(["accessFields"], { access: AccessPairs }),
    description:
      "Any JSON object. It is returned equal, with `accessFields` if it has `access`: the pairs that a user needs to " +
      "see the record while `isContextEnabled` is true.",
  },
);

/** Returns the texts of pairs, `field:value`, which are also their IDs as resources. */
export function getAccessFields(access: object): string[] {
  return Object.entries(access).map(([field, value]) => `${field}:${value}`);
}

/** Returns a valid context as it is stored and returned. */
export function withAccessFields(context: object): object {
  const access = getAccess(context);
  return access === undefined ? context : { ...context, accessFields: getAccessFields(access) };
}

/** Returns the pairs of a valid context, if it has any. */
export function getAccess(context: object | null | undefined): object | undefined {
  const access: unknown = isObject(context) ? context.access : undefined;
  return isObject(access) ? access : undefined;
}

/** Returns the column that repeats the pairs of a stored context: a JSON text, or null if it has none. */
export function accessFieldsColumn(context: unknown): string | null {
  const fields: unknown = isObject(context) ? context.accessFields : undefined;
  return Array.isArray(fields) && fields.length > 0 ? JSON.stringify(fields) : null;
}
