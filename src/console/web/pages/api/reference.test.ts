import { expect, test } from "vitest";
import { getEvents } from "../../../../features/events/get.ts";
import { openApiDocument } from "../../../../http/openapi.ts";
import { operations } from "../../../../operations.ts";
import { type OpenApi, operationReference, searchOperations } from "./reference.ts";
import { listFields, typeName } from "./schema.ts";

const openApi = asOpenApi(
  openApiDocument({
    operations,
    eventOperation: getEvents,
    publicUrl: "https://host.example",
    headerPrefixes: [],
    version: "1.0.0",
  }),
);

/** Casts the document, since the tests below read every field of the type. */
function asOpenApi(document: object): OpenApi {
  return JSON.parse(JSON.stringify(document));
}

const paths = Object.keys(openApi.paths);

test.each(paths)("the reference describes %s completely", (path) => {
  const reference = operationReference(openApi, path);
  if (!reference) throw new Error("the reference has no such operation");
  const { summary, request, response, example, responseExample, errors, isPublic } = reference;
  expect(summary).not.toBe("");
  const names = new Set(request.map((field) => field.path));
  for (const fields of [request, response]) expect(new Set(fields.map((field) => field.path)).size).toBe(fields.length);
  for (const name of Object.keys(example)) expect(names).toContain(name);
  for (const { name, type } of [...request, ...response]) expect(`${name}: ${type}`).not.toMatch(/undefined|^: /);
  expect(errors.map(({ httpStatus }) => httpStatus)).toContain(isPublic ? "400" : "403");
  const text = typeof responseExample === "string" ? responseExample : JSON.stringify(responseExample);
  expect(text).toMatch(/"status":"success"|^event: /m);
  for (const error of errors) expect(error.example).toMatchObject({ error: {} });
});

test("the reference of the event stream has its parameters, and no body", () => {
  const { method, request = [], example } = operationReference(openApi, "/v2/events/stream") ?? {};
  expect(method).toBe("GET");
  expect(request.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["organizationId", true],
    ["documentId", false],
    ["documentIds", false],
    ["inbox", false],
    ["activities", false],
    ["presenceData", false],
    ["kinds", false],
    ["cursor", false],
    ["Last-Event-ID", false],
  ]);
  expect(example).toEqual({ organizationId: "acme", documentId: "contract-7" });
});

test("fields are followed by their children and have their limits, and required ones are marked", () => {
  const { request = [], response = [] } = operationReference(openApi, "/v2/activities/add") ?? {};
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
  expect(response.map(({ path }) => path)).toEqual(["data", "data.success", "data.message"]);
});

test("a response lists its data and page token in each shape of response", () => {
  const names = (path: string) => operationReference(openApi, path)?.response.map((field) => field.path);
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

test("a map is described by the placeholder {id}", () => {
  const success = { type: "object", properties: { success: { type: "boolean" } }, required: ["success"] };
  const fields = listFields({ type: "object", additionalProperties: success });
  expect(fields.map(({ path, isRequired }) => [path, isRequired])).toEqual([
    ["{id}", false],
    ["{id}.success", true],
  ]);
});

test("a search finds the operations that contain all of its words", () => {
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
