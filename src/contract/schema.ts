import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import { isEmailAddress } from "../email/address.ts";

/** Matches U+0000 to U+001F and U+007F to U+009F. */
const CONTROL_CHARACTER = /\p{Cc}/u;

export function isIdentifier(text: string): boolean {
  return text.length <= 256 && !CONTROL_CHARACTER.test(text) && text.isWellFormed();
}

/** Text of 1 to 256 UTF-16 units without control characters and lone surrogates. */
export const Identifier = Type.Refine(
  Type.String({ minLength: 1, maxLength: 256 }),
  isIdentifier,
  () => "must be at most 256 UTF-16 units without control characters and lone surrogates",
);

/** List of 1 to 1,000 identifiers. */
export const Identifiers = Type.Array(Identifier, { minItems: 1, maxItems: 1000 });

/** Any JSON value. It is returned equal. */
export const FreeFormValue = Type.Unknown();

/** Any JSON object. It is returned equal. */
export const FreeFormObject = Type.Object({}, { additionalProperties: true });

/** TypeBox keeps hidden properties with such names in the copies that it makes. */
const [TRIMMED, USER_VALUES, USUAL_FIELDS] = ["~trimmed", "~userValues", "~usualFields"] as const;

function hasHidden(schema: unknown, name: string): boolean {
  return typeof schema === "object" && schema !== null && name in schema;
}

/**
 * Any JSON object whose values may be users, such as the values of placeholders. It is returned equal, except the
 * addresses of users to those who do not see them.
 */
export const FreeFormUserValues = Object.defineProperty(Type.Object({}, { additionalProperties: true }), USER_VALUES, {
  value: true,
});

/** Returns whether the values of an object with this schema may be users. */
export function hasUserValues(schema: unknown): boolean {
  return hasHidden(schema, USER_VALUES);
}

/**
 * Returns the schema of a free-form object with the fields that it usually has, which the types of the client declare.
 * The service does not validate them.
 */
export function withUsualFields(freeForm: typeof FreeFormObject, usual: TObject): typeof FreeFormObject {
  const schema = Object.defineProperty(Type.Object({}, { additionalProperties: true }), USUAL_FIELDS, { value: usual });
  return hasUserValues(freeForm) ? Object.defineProperty(schema, USER_VALUES, { value: true }) : schema;
}

/** Returns the schema of the fields that a free-form object usually has. */
export function getUsualFields(schema: object): TObject | undefined {
  return (schema as { [USUAL_FIELDS]?: TObject })[USUAL_FIELDS];
}

/**
 * Returns options for an object that accepts further fields than `properties`, except the rejected ones.
 * `patternProperties` and `dependentSchemas` would list the names of an object with 100,000 fields, which takes 30 to
 * 60 ms.
 */
export function openExcept(rejected: readonly string[], properties: TProperties = {}) {
  const forbidden = Object.fromEntries(rejected.map((name) => [name, false]));
  return { additionalProperties: true, properties: { ...properties, ...forbidden } };
}

/**
 * Free-form context of a record that others decide about, so that it has no `access`: a context that restricts who may
 * see a record must not be taken for one that only describes it.
 */
export const RecordContext = Type.Object(
  {},
  {
    ...openExcept(["access", "accessFields"]),
    description: "Any JSON object without `access` and `accessFields`. It is returned equal.",
  },
);

/** Returns whether white space around a text with this schema is removed before the text is checked. */
export function isTrimmed(schema: unknown): boolean {
  return hasHidden(schema, TRIMMED);
}

/** Email address of a user, without the white space around it that a caller sends. Empty if there is none. */
export const UserEmail = Object.defineProperty(
  Type.Refine(
    Type.String({ description: "Email address; empty if there is none. White space around it is removed." }),
    (text) => text === "" || isEmailAddress(text),
    () => "must be an email address, such as ada@example.com",
  ),
  TRIMMED,
  { value: true },
);

/** User who acts in or is named by a record. Further fields are stored with the record. */
export const User = Type.Object(
  { userId: Identifier, name: Type.Optional(Type.String()), email: Type.Optional(UserEmail) },
  { title: "User", additionalProperties: true },
);
export type User = Static<typeof User>;

/** The calling user as named in the user token. Another field could show somebody else. */
export const Caller = Type.Object({
  userId: Identifier,
  name: Type.Optional(Type.String()),
  email: Type.Optional(UserEmail),
  photoUrl: Type.Optional(Type.String()),
});

/** Maximum time of a JavaScript date, in milliseconds since the epoch. */
export const MAX_TIME = 8_640_000_000_000_000;

/** When the signed URL of a file ends. */
export const UrlExpiresAt = Type.Integer({
  description: "Time until which a signed URL works. Read the record again before it. Ignored when it is sent.",
});

const Time = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TIME, description }));

/** Filters of records by their time. */
export const timeFilters = {
  from: Time("Earliest time, in milliseconds since the epoch."),
  to: Time("Time before which the records are, in milliseconds since the epoch."),
};

/** Tolerated difference between the clocks of a caller and the service. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Time of something that happened before it is sent. A time within the tolerance is stored as the current time. */
export const PastTime = Type.Refine(
  Type.Integer({
    minimum: 0,
    maximum: MAX_TIME,
    description:
      "Time of imported history, in milliseconds since the epoch; without it, the time of the request. A time up " +
      "to a minute ahead of the server's clock counts as now.",
  }),
  (time) => time <= Date.now() + CLOCK_TOLERANCE_MS,
  () => "must not be later than now",
);

/** Number of records on a page for a request without `pageSize`. */
export const DEFAULT_PAGE_SIZE = 1000;
export const PageSize = Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_PAGE_SIZE });
export const PageToken = Type.String({
  maxLength: 4096,
  description: "Page token of the previous response, unchanged.",
});

/** Order of a list for a request without `order`: newest first. */
export const DEFAULT_ORDER = "desc";
export const Order = Type.Enum(["asc", "desc"], { default: DEFAULT_ORDER });

/** Outcome of one item of a request whose items fail independently. */
export const ItemResult = Type.Object({ success: Type.Boolean(), message: Type.String() }, { title: "ItemResult" });
export type ItemResult = Static<typeof ItemResult>;

/** Returns the schema of an object keyed by ID. */
export function perId<Item extends TSchema>(item: Item) {
  return Type.Record(Type.String(), item);
}

/** Returns an object keyed by ID. It has no prototype, so that `__proto__` is an ID like any other. */
export function keyedById<Item>(entries: Iterable<readonly [string, Item]>): Record<string, Item> {
  const result: Record<string, Item> = Object.create(null);
  for (const [id, item] of entries) result[id] = item;
  return result;
}
