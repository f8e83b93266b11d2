import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { fieldIssues } from "./field-issues.ts";

const ISSUES = [
  { path: "data.userId", message: "must not be empty" },
  { path: "data.permissions.resources[1].id", message: "is repeated in this request" },
];
const ERROR = new ApiError("INVALID_ARGUMENT", "data.userId must not be empty", {
  details: { reason: "field_invalid", issues: ISSUES },
});

test("an error that the fields of a form show is not repeated below them", () => {
  const issues = fieldIssues(ERROR, ["data.userId", "data.permissions.resources[1].id", "data.expiresInSeconds"]);
  expect(issues.at("data.userId")).toBe("Must not be empty.");
  expect(issues.at("data.permissions.resources[1].id")).toBe("Is repeated in this request.");
  expect(issues.at("data.expiresInSeconds")).toBeUndefined();
  expect(issues.rest).toBeUndefined();
});

test("an error about an item is shown by the field of its list", () => {
  const error = new ApiError("INVALID_ARGUMENT", "data.channels[1] must not be empty", {
    details: { reason: "field_invalid", issues: [{ path: "data.channels[1]", message: "must not be empty" }] },
  });
  const issues = fieldIssues(error, ["data.url", "data.channels"]);
  expect(issues.at("data.channels")).toBe("Item 2: Must not be empty.");
  expect(issues.at("data.url")).toBeUndefined();
  expect(issues.rest).toBeUndefined();
});

test("an error about a field that the form does not have is shown whole", () => {
  expect(fieldIssues(ERROR, ["data.userId"]).rest).toBe(ERROR);
});

test("an error without fields is shown whole", () => {
  const offline = new ApiError("OFFLINE", "The service does not respond.");
  expect(fieldIssues(offline, ["data.userId"]).rest).toBe(offline);
  expect(fieldIssues(null, ["data.userId"]).rest).toBeUndefined();
});
