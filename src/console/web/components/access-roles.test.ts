import { expect, test } from "vitest";
import { ACCESS_ROLES } from "../../../contract/end-user.ts";
import { ROLES, toRole } from "./access-roles.ts";

test("selects offer every role of the API in its order, and nothing else is a role", () => {
  expect(ROLES.map(({ value }) => value)).toEqual(ACCESS_ROLES);
  expect([...ACCESS_ROLES, "", "owner"].map(toRole)).toEqual([...ACCESS_ROLES, undefined, undefined]);
});
