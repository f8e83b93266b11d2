import { expect, test } from "vitest";
import { operationsLike } from "./operations-like.ts";

const PATHS = ["/v2/users/add", "/v2/activities/get", "/v2/activities/add"];

test.each([
  ["/v2/act", ["/v2/activities/add", "/v2/activities/get"]],
  ["Activities/a", ["/v2/activities/add"]],
  ["add", ["/v2/activities/add", "/v2/users/add"]],
  ["dd", []],
])("the start %s of a path or of its parts finds %j", (text, found) => {
  expect(operationsLike(text, PATHS)).toEqual(found);
});
