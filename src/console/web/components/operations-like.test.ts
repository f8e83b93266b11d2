import { expect, test } from "vitest";
import { getOperation, operationsLike } from "./operations-like.ts";

const PATHS = {
  "/v2/users/add": {},
  "/v2/activities/get": { post: {} },
  "/v1/activities/add": { post: { "x-alias-of": "/v2/activities/add" } },
  "/v2/activities/add": { post: {} },
};

test.each([
  ["/v2/act", ["/v2/activities/add", "/v2/activities/get"]],
  ["Activities/a", ["/v2/activities/add"]],
  ["add", ["/v2/activities/add", "/v2/users/add"]],
  ["/v1/", ["/v2/activities/add"]],
  ["dd", []],
])("the start %s of a path or of its parts finds %j, without aliases", (text, found) => {
  expect(operationsLike(text, PATHS)).toEqual(found);
});

test.each([
  ["/v2/activities/get", "/v2/activities/get"],
  ["/v1/activities/add", "/v2/activities/add"],
  ["users", "/v2/users/add"],
  ["toString", undefined],
])("the text %s stands for the operation %s", (text, operation) => {
  expect(getOperation(text, PATHS)).toBe(operation);
});
