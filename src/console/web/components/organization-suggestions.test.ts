import { expect, test } from "vitest";
import { suggestOrganizations } from "./organization-suggestions.ts";

const KNOWN = [{ id: "acme-2", organizationName: "Beta" }, { id: "acme" }, { id: "Zeta", organizationName: "" }];

test("an exact ID precedes the IDs that contain it", () => {
  expect(suggestOrganizations("acme", KNOWN, { isAll: true })).toEqual(["acme", "acme-2"]);
});

test.each([
  ["ac", ["acme", "acme-2"]],
  ["BETA", ["acme-2"]],
  ["zeta", ["Zeta"]],
  ["", ["acme", "acme-2", "Zeta"]],
  ["nope", []],
])("%j suggests %j by ID and name", (text, ids) => {
  expect(suggestOrganizations(text, KNOWN, { isAll: true })).toEqual(ids);
});

test("names and IDs that start with the text precede those that contain it", () => {
  const known = [{ id: "alfa" }, { id: "x", organizationName: "Fa Ltd" }, { id: "farm" }];
  expect(suggestOrganizations("fa", known, { isAll: true })).toEqual(["x", "farm", "alfa"]);
});

test("the text itself is suggested last if there are more organizations than the known ones", () => {
  expect(suggestOrganizations("ac", KNOWN, { isAll: false })).toEqual(["acme", "acme-2", "ac"]);
  expect(suggestOrganizations("", KNOWN, { isAll: false })).not.toContain("");
});
