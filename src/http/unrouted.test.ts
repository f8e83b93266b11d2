import { expect, test } from "vitest";
import { getRouteError } from "./unrouted.ts";

const KNOWN = new Map([
  ["/v2/activities/add", "POST"],
  ["/v2/activities/get", "POST"],
  ["/v1/users/data/delete", "POST"],
] as const);
const ALL = "GET /docs lists all operations.";

test.each([
  ["/v2/activites/add", "/v2/activities/add"],
  ["/v2/activities/get/", "/v2/activities/get"],
  ["/V2/Activities/GET?page=1", "/v2/activities/get"],
  ["/activities/add", "/v2/activities/add"],
  ["/v2/users/data/delete", "/v1/users/data/delete"],
])("for %s the error suggests %s", (url, meant) => {
  expect(getRouteError(url, KNOWN).error.message).toBe(`There is no such operation. Did you mean ${meant}? ${ALL}`);
});

test.each(["/", "/v2", "/v2/", "/v2/recordings/get", `/${"x".repeat(10_000)}`])("for %s it suggests none", (url) => {
  expect(getRouteError(url, KNOWN).error.message).toBe(`There is no such operation. ${ALL}`);
});
