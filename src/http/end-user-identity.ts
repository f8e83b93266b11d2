import type { EndUser } from "../contract/end-user.ts";
import type { EndUserRule } from "../contract/end-user-rule.ts";
import { ServiceError } from "../contract/errors.ts";
import { isObject } from "../json/is-object.ts";

/** Fields of a user object whose values come from the user token. */
const TOKEN_FIELDS = ["userId", "name", "email", "photoUrl"] as const;

/**
 * Fills in the fields of a request that name its caller, from the user token. Throws PERMISSION_DENIED if one of them
 * names somebody else. Leaves values of a wrong type to the validation.
 */
export function fillIdentity({ identity = {} }: Pick<EndUserRule, "identity">, data: unknown, user: EndUser): void {
  const { users = [], userIds = [] } = identity;
  for (const path of users) visit(data, path.split("."), "data", (value, name) => getUser(value, name, user));
  for (const path of userIds) visit(data, path.split("."), "data", (value, name) => getUserId(value, name, user));
}

/**
 * Replaces what a path leads to: `from`, `users[]` for each item of a list, or `comments[].from` for a field of each
 * item. A list that is missing becomes one of the caller if its items are what is replaced.
 */
function visit(
  parent: unknown,
  [step = "", ...rest]: string[],
  name: string,
  replace: (value: unknown, name: string) => unknown,
): void {
  if (!isObject(parent)) return;
  const field = step.replace("[]", "");
  const path = `${name}.${field}`;
  const value = Object.hasOwn(parent, field) ? parent[field] : undefined;
  if (field === step) {
    if (rest.length === 0) parent[field] = replace(value, path);
    else visit(value, rest, path, replace);
    return;
  }
  if (rest.length > 0) {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, rest, `${path}[${index}]`, replace);
  } else if (value === undefined) parent[field] = [replace(undefined, `${path}[0]`)];
  else if (Array.isArray(value)) parent[field] = value.map((item, index) => replace(item, `${path}[${index}]`));
}

function getUserId(value: unknown, name: string, { userId }: EndUser): unknown {
  if (typeof value === "string" && value !== userId) throw mismatch(name);
  return value ?? userId;
}

/** Returns the user object with the fields of the token, and the further ones that were sent. */
function getUser(value: unknown, name: string, user: EndUser): unknown {
  if (value !== undefined && !isObject(value)) return value;
  const sent = value ?? {};
  for (const field of TOKEN_FIELDS) {
    if (!Object.hasOwn(sent, field)) continue;
    const value = sent[field];
    const given = field === "email" && typeof value === "string" ? value.trim() : value;
    if (given !== user[field]) throw mismatch(`${name}.${field}`);
  }
  const fromToken = Object.fromEntries(
    TOKEN_FIELDS.flatMap((field) => (user[field] === undefined ? [] : [[field, user[field]]])),
  );
  return { ...sent, ...fromToken };
}

function mismatch(name: string): ServiceError {
  return new ServiceError("identity_mismatch", `${name} differs from the user token. Leave it out.`);
}
