import { expect, test } from "vitest";
import { suggestOrganizations } from "./organization-suggestions.ts";

const KNOWN = [{ id: "acme-2", organizationName: "Beta" }, { id: "acme" }, { id: "Zeta", organizationName: "" }];

test("a text that is an id comes before those that have it in them", () => {
  expect(suggestOrganizations("acme", KNOWN, { isAll: true })).toEqual(["acme", "acme-2"]);
});

test.each([
  ["ac", ["acme-2", "acme"]],
  ["BETA", ["acme-2"]],
  ["zeta", ["Zeta"]],
  ["", ["acme-2", "acme", "Zeta"]],
  ["nope", []],
])("%j finds %j by id and name", (text, ids) => {
  expect(suggestOrganizations(text, KNOWN, { isAll: true })).toEqual(ids);
});

test("where there are more than those known, every text may be an id", () => {
  expect(suggestOrganizations("ac", KNOWN, { isAll: false })).toEqual(["acme-2", "acme", "ac"]);
  expect(suggestOrganizations("", KNOWN, { isAll: false })).not.toContain("");
});
