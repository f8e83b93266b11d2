import { expect, test } from "vitest";
import { getDeletedIds } from "./deleted-ids.ts";

test.each([
  [{ organizationIds: ["acme", "beta"] }, ["organizationIds"], ["acme", "beta"]],
  [{ organizationId: "acme", commentIds: [7] }, ["commentIds", "annotationId"], ["7"]],
  [{ organizationId: "acme", commentIds: [], annotationId: "a" }, ["commentIds", "annotationId"], ["a"]],
  [{ organizationId: "acme" }, ["documentIds"], ["acme"]],
  [{}, ["sessionIds"], []],
  [null, ["sessionIds"], []],
])("of %j, which deletes by %j, these are deleted: %j", (request, fields, ids) => {
  expect(getDeletedIds(request, fields)).toEqual(ids);
});
