import { expect, test } from "vitest";
import { openApiDocument } from "../../../../http/openapi.ts";
import { operations } from "../../../../operations.ts";
import { type OpenApi, operationReference, searchOperations } from "./reference.ts";
import { listFields, typeName } from "./schema.ts";

const openApi = asOpenApi(
  openApiDocument({ operations, publicUrl: "https://host.example", brands: [], version: "1.0.0" }),
);

/** The document is JSON that the page's type names a part of; the tests below read every field of that part. */
function asOpenApi(document: object): OpenApi {
  return JSON.parse(JSON.stringify(document));
}

const paths = Object.keys(openApi.paths);

test.each(paths)("%s can be read in the reference", (path) => {
  const reference = operationReference(openApi, path);
  if (!reference) throw new Error("the document has it");
  const { summary, request, answer, example, errors, isPublic } = reference;
  expect(summary).not.toBe("");
  const names = new Set(request.map((field) => field.path));
  for (const fields of [request, answer]) expect(new Set(fields.map((field) => field.path)).size).toBe(fields.length);
  for (const name of Object.keys(example)) expect(names).toContain(name);
  for (const { name, type } of [...request, ...answer]) expect(`${name}: ${type}`).not.toMatch(/undefined|^: /);
  expect(errors.map(({ httpStatus }) => httpStatus)).toContain(isPublic ? "400" : "403");
  for (const error of errors) expect(error.example).toMatchObject({ error: {} });
});

test("fields come with their own below them, required ones marked, and with their limits", () => {
  const { request = [], answer = [] } = operationReference(openApi, "/v2/activities/add") ?? {};
  expect(request.find(({ path }) => path === "activities")).toMatchObject({
    type: "object[]",
    isRequired: true,
    depth: 0,
    limits: "1 to 500 items",
  });
  expect(request.find(({ path }) => path === "activities[].actionUser.userId")).toMatchObject({
    type: "string",
    isRequired: true,
    depth: 2,
    limits: "1 to 256 characters",
  });
  expect(answer.map(({ path }) => path)).toEqual(["data", "data.success", "data.message"]);
});

test("an answer tells of its data and of the next page, in whichever shape it comes", () => {
  const names = (path: string) => operationReference(openApi, path)?.answer.map((field) => field.path);
  expect(names("/v2/users/data/delete")).toEqual(["data", "data.jobId", "data.tasksCount"]);
  expect(names("/v2/presence/get")).toContain("data[].lastActive");
  expect(names("/v2/activities/get")).toEqual(expect.arrayContaining(["pageToken", "data[].actionUser.userId"]));
  expect(names("/v2/crdt/add")).toEqual([]);
});

test.each([
  [{}, "any"],
  [{ type: "string" }, "string"],
  [{ const: true, type: "boolean" }, "true"],
  [{ enum: ["asc", "desc"] }, '"asc" | "desc"'],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "object" }] } }, "(string | object)[]"],
])("the type of %j is %s", (schema, type) => {
  expect(typeName(schema)).toBe(type);
});

test("what is kept by id is told under a name that stands for any", () => {
  const success = { type: "object", properties: { success: { type: "boolean" } }, required: ["success"] };
  const fields = listFields({ type: "object", additionalProperties: success });
  expect(fields.map(({ path, isRequired }) => [path, isRequired])).toEqual([
    ["{id}", false],
    ["{id}.success", true],
  ]);
});

test("a search finds what has all of its words, and an unknown operation is none", () => {
  expect([...searchOperations(openApi, "").values()].flat()).toHaveLength(paths.length);
  const found = [...searchOperations(openApi, "ACTIVIT immutable update").values()].flat().map(({ path }) => path);
  expect(found).toContain("/v2/workspace/activityconfig/update");
  expect(found).not.toContain("/v2/activities/get");
  expect(searchOperations(openApi, "nothing-has-this").size).toBe(0);
  const domains = searchOperations(openApi, "domains/add")
    .get("workspace")
    ?.map(({ path }) => path);
  expect(domains?.slice(0, 2)).toEqual(["/v2/workspace/domains/add", "/v1/workspace/domains/add"]);
  expect(operationReference(openApi, "constructor")).toBeUndefined();
});
