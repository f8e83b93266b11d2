import { expect, test } from "vitest";
import { isTrimmed } from "../src/contract/schema.ts";
import { IMPORT_KINDS } from "../src/features/imports/kinds.ts";
import { mapSchemas } from "../src/http/json-schema.ts";
import { isObject } from "../src/json/is-object.ts";
import { operations } from "../src/operations.ts";

/** Fields that reject white space around an address, or need no valid one. */
const OTHERS = [
  // Names a user who is being replaced, as read from a record.
  "/v2/commentannotations/update updateUsers.oldUser.email",
  // Settings and logins of the owner take an address only as it is.
  "/v2/workspace/email/send-login-link email",
  "/v2/workspace/email/send-test-mail email",
  "/v2/workspace/emailconfig/update emailServiceConfig.fromEmail",
  // Names the claim of a token that has the address.
  "/v2/workspace/tokenissuerconfig/update claims.email",
];

/** Returns the paths of the texts in a schema whose names end in `email`, and that are not trimmed and checked. */
function findUncheckedAddresses(schema: unknown, path: string): string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === "properties" && isObject(value)) {
      return Object.entries(value).flatMap(([name, field]) => findInField(field, `${path}${name}`));
    }
    const found: string[] = [];
    mapSchemas(keyword, value, (inner) => {
      found.push(...findUncheckedAddresses(inner, path));
      return inner;
    });
    return found;
  });
}

function findInField(field: unknown, path: string): string[] {
  if (!isObject(field)) return [];
  const schemas: unknown[] = [field, ...(Array.isArray(field.anyOf) ? field.anyOf : [])];
  const isUnchecked = schemas.some((schema) => isObject(schema) && schema.type === "string" && !isTrimmed(schema));
  if (/email$/i.test(path) && isUnchecked) return [path];
  return findUncheckedAddresses(field, `${path}.`);
}

test("every operation and import checks addresses, and removes white space around them", () => {
  const unchecked = [
    ...operations.flatMap(({ path, request }) => findUncheckedAddresses(request, `${path} `)),
    ...[...IMPORT_KINDS].flatMap(([name, { schema }]) => findUncheckedAddresses(schema, `import ${name} `)),
  ];
  expect([...new Set(unchecked)].sort()).toEqual(OTHERS);
});
