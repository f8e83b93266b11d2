import Type from "typebox";
import { Check } from "typebox/value";
import { expect, test } from "vitest";
import { operation } from "../contract/operation.ts";
import { operations } from "../operations.ts";
import { buildExampleResponse } from "./example-response.ts";
import { jsonSchema } from "./json-schema.ts";
import { buildResponseSchema } from "./response-schema.ts";

const responses = operations.map((listed) => {
  const schema = jsonSchema(buildResponseSchema(listed));
  return { path: listed.path, schema, example: buildExampleResponse(schema, listed) };
});

test.each(responses)("$path has an example response with a value for every required field", ({ schema, example }) => {
  expect(example).toBeDefined();
  expect(Check(schema, example)).toBe(true);
});

test("an example response that counts records shows as many as it counts", () => {
  const counting = responses
    .map(({ example }) => Object(example).result?.data)
    .filter((data) => "totalCount" in Object(data));
  expect(counting.length).toBeGreaterThan(0);
  for (const { totalCount, ...lists } of counting) expect(Object.values(lists).flat()).toHaveLength(totalCount);
});

test.each([
  ["/v2/activities/delete", ["activity-1", "activity-2"]],
  ["/v2/commentannotations/comments/delete", ["1"]],
  ["/v2/organizations/documents/add", ["contract-7", "draft-7"]],
])("the example response of %s has a result for each ID of its request", (path, ids) => {
  const example = responses.find((one) => one.path === path)?.example;
  expect(Object.keys(Object(example).result.data)).toEqual(ids);
});

test("the credentials in an example response have the form of those that the service makes, or are masked", () => {
  const credentials = JSON.stringify(responses.map(({ example }) => example)).matchAll(/"colloquy_(\w+?)_(\w+)"/g);
  const digits = { key: 32, token: 64 };
  const found = [...credentials].map(([, kind = "", random = ""]) => [kind, random.length]);
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) expect(Object.entries(digits)).toContainEqual(one);
  const [masked] = Object(responses.find(({ path }) => path === "/v2/workspace/authtokens/get")?.example).result.data
    .authTokens;
  expect(masked.token).toMatch(/^\*+[\da-f]{4}$/);
});

test("an operation has no example response if a required field has no value", () => {
  const nameless = operation({
    path: "/v2/samples/get",
    summary: "Read samples",
    message: "Samples retrieved.",
    scope: "read",
    request: Type.Object({}),
    response: Type.Array(Type.Object({ unheardOf: Type.String() })),
    example: {},
    handle: async () => [],
  });
  expect(buildExampleResponse(jsonSchema(buildResponseSchema(nameless)), nameless)).toBeUndefined();
});
