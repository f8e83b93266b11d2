import { Validator } from "@seriousme/openapi-schema-validator";
import Fastify from "fastify";
import Type from "typebox";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { ERROR_CATALOGUE, type ErrorStatus } from "../contract/error-catalogue.ts";
import { getPaths, type Operation, operation } from "../contract/operation.ts";
import { Identifier, ItemResult, PageToken, perId } from "../contract/schema.ts";
import { getEvents } from "../features/events/get.ts";
import { isObject } from "../json/is-object.ts";
import { operations } from "../operations.ts";
import { openApiDocument } from "./openapi.ts";
import { registerOpenApi } from "./serve-openapi.ts";

/** An operation with everything that an operation can have. */
const sample = operation({
  path: "/v2/samples/nested-things/get",
  aliases: ["/v1/samples/nested-things/get"],
  summary: "Read things",
  description: "Reads them **all**.",
  message: "Things retrieved.",
  scope: "read",
  request: Type.Refine(
    Type.Object({
      things: Type.Array(Identifier),
      kind: Type.Optional(Type.Enum(["large", "small"], { deprecated: true })),
      pageToken: Type.Optional(PageToken),
    }),
    () => true,
    () => "must be a sample",
  ),
  response: Type.Array(
    Type.Object({ name: Type.String({ examples: ["Thing"] }), parts: Type.Optional(perId(ItemResult)) }),
  ),
  cursor: Type.Integer(),
  pageTokenNames: ["nextPageToken"],
  errors: ["NOT_FOUND", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"],
  example: { things: ["one"], kind: "large" },
  handle: async () => [],
});

/** An operation without required fields and without data in its response. */
const bare = operation({
  path: "/v2/samples/touch",
  deprecatedOn: "2027-03-01",
  summary: "Touch",
  message: "Touched.",
  scope: "read",
  request: Type.Object({ name: Type.Optional(Type.String()) }),
  example: {},
  handle: async () => undefined,
});

const described: readonly Operation[] = [...operations, sample, bare];
const document = openApiDocument({
  operations: described,
  eventOperation: getEvents,
  publicUrl: "https://api.example.com",
  headerPrefixes: ["service", "acme"],
  version: "1.2.3",
});
const schemas = objectAt(document, "components", "schemas");
const paths = described.flatMap((described) => getPaths(described).map((path) => ({ path, operation: described })));

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(plain(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it("has every path of every operation, the event stream, and no other", () => {
    const expected = [...paths.map(({ path }) => path), "/v2/events/stream"];
    expect(Object.keys(objectAt(document, "paths")).sort()).toEqual(expected.sort());
  });

  it("describes the event stream with its parameters, credentials and an example event", () => {
    const stream = objectAt(document, "paths", "/v2/events/stream", "get");
    const parameters = [
      ["organizationId", true],
      ["documentId", false],
      ["documentIds", false],
      ["inbox", false],
      ["activities", false],
      ["presenceData", false],
      ["kinds", false],
      ["cursor", false],
    ];
    expect(stream.parameters).toMatchObject([
      ...parameters.map(([name, required]) => ({ name, required, in: "query" })),
      { name: "Last-Event-ID", in: "header" },
    ]);
    expect(stream.security).toEqual(at(document, "paths", "/v2/events/get", "post", "security"));
    const example = at(stream, "responses", "200", "content", "text/event-stream", "example");
    expect(example).toMatch(/^retry: \d+\n\nid: \S+\nevent: comment\.add\ndata: \{"organizationId":"acme",.*\}\n\n$/);
    expect(Object.keys(objectAt(stream, "responses"))).toEqual(["200", "400", "403", "429", "500", "503"]);
    expect(stream.description).toContain("`/v2/crdt/sync`");
  });

  it("contains only plain JSON: no key of TypeBox, no function, and nothing that JSON drops", () => {
    expect(unknownParts(document)).toEqual([]);
    expect(plain(document)).toStrictEqual(document);
  });

  it("has a unique name for each operation, including versions of one path", () => {
    const ids = paths.map(({ path }) => at(document, "paths", path, "post", "operationId"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("samplesNestedThingsGet");
    expect(ids).toContain("samplesNestedThingsGetV1");
  });

  it("names the path of the operation at its aliases only", () => {
    const getPath = (path: string) => Object(at(document, "paths", path, "post"))["x-alias-of"];
    expect(getPath("/v1/samples/nested-things/get")).toBe(sample.path);
    expect(getPath(sample.path)).toBeUndefined();
  });

  it("accepts the header pair of any header prefix", () => {
    expect(at(document, "security")).toEqual([
      { "x-service-api-key": [], "x-service-auth-token": [] },
      { "x-acme-api-key": [], "x-acme-auth-token": [] },
    ]);
    expect(at(document, "components", "securitySchemes", "x-acme-auth-token")).toMatchObject({
      type: "apiKey",
      in: "header",
      name: "x-acme-auth-token",
    });
  });

  it("marks operations and fields that are deprecated, and no others", () => {
    const marked = paths.filter(({ path }) => "deprecated" in objectAt(document, "paths", path, "post"));
    expect(marked.map(({ path }) => path)).toEqual([bare.path]);
    const data = ["requestBody", "content", "application/json", "schema", "properties", "data", "properties"];
    const { kind, things } = objectAt(document, "paths", sample.path, "post", ...data);
    expect([kind, things]).toEqual([
      expect.objectContaining({ deprecated: true }),
      expect.not.objectContaining({ deprecated: true }),
    ]);
  });

  it("requires a body only if one of its fields is required", () => {
    expect(at(document, "paths", sample.path, "post", "requestBody", "required")).toBe(true);
    expect(at(document, "paths", bare.path, "post", "requestBody", "required")).toBe(false);
  });

  it("writes maps and enums in the form that generators support", () => {
    const content = ["content", "application/json", "schema", "properties"];
    const request = at(document, "paths", sample.path, "post", "requestBody", ...content, "data");
    expect(at(request, "properties", "kind")).toMatchObject({ type: "string", enum: ["large", "small"] });
    const result = at(document, "paths", sample.path, "post", "responses", "200", ...content, "result");
    expect(at(result, "properties", "data", "items", "properties", "parts", "additionalProperties")).toEqual({
      $ref: "#/components/schemas/ItemResult",
    });
  });

  it("names the schemas of records and refers to them wherever they appear", () => {
    const names = [
      ...["Activity", "AuditEntry", "AuthToken", "CollaborativeDocument", "CollaborativeDocumentVersion", "Comment"],
      ...["CommentAnnotation", "Document", "DocumentStatistics", "Event", "Folder", "IdentifiedResult", "ItemResult"],
      "LiveState",
      ...["LoggedRequest", "Mail", "Notification", "NotificationExplanation", "NotificationPreferences"],
      ...["Organization", "OrganizationStatistics", "Permission", "Presence", "RecordResult", "Recording", "Session"],
      ...["User", "UserStatistics", "UserGroup", "UserRecord", "WebhookAttempt", "WebhookDelivery", "WebhookEndpoint"],
      "Workspace",
    ];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(names));
    expect(at(schemas, "CommentAnnotation", "properties", "comments", "items")).toEqual({
      $ref: "#/components/schemas/Comment",
    });
    expect(at(schemas, "Activity", "properties", "actionUser")).toEqual({ $ref: "#/components/schemas/User" });
    const inlined = Object.keys(schemas).filter(
      (name) => JSON.stringify(document).split(`"title":"${name}"`).length > 2,
    );
    expect(inlined).toEqual([]);
  });

  it("rejects two different schemas of one name", () => {
    const other = { ...bare, path: "/v2/samples/other", response: Type.Object({}, { title: "Activity" }) } as const;
    const options = { eventOperation: getEvents, publicUrl: "", headerPrefixes: ["service"], version: "1.0.0" };
    expect(() => openApiDocument({ operations: [...operations, other], ...options })).toThrow("title Activity");
  });

  it("has example responses of examples and values in the request", () => {
    const content = ["post", "responses", "200", "content", "application/json"];
    expect(at(document, "paths", sample.path, ...content, "example")).toEqual({
      result: { status: "success", message: "Things retrieved.", data: [{ name: "Thing" }] },
    });
    expect(at(document, "paths", bare.path, ...content, "example")).toEqual({
      result: { status: "success", message: "Touched." },
    });
  });

  it.each(paths)("describes $path with an example that its schema and the service accept", ({ path, operation }) => {
    const content = at(document, "paths", path, "post", "requestBody", "content", "application/json");
    expect(at(content, "example")).toEqual({ data: operation.example });
    expect(Check(resolved(objectAt(content, "schema")), at(content, "example"))).toBe(true);
    expect(Check(operation.request, operation.example)).toBe(true);
  });

  it.each(paths)("describes a success of $path that matches its schema", ({ path, operation }) => {
    const { isAsynchronous } = operation;
    const httpStatus = isAsynchronous ? "202" : "200";
    const content = objectAt(document, "paths", path, "post", "responses", httpStatus, "content", "application/json");
    const schema = resolved(objectAt(content, "schema"));
    const fields = objectAt(schema, "properties", ...(isAsynchronous ? [] : ["result", "properties"]));
    expect("statusCode" in fields).toBe(isAsynchronous ?? false);
    expect("data" in fields).toBe(operation.response !== undefined);
    for (const name of operation.pageTokenNames ?? ["pageToken"]) {
      expect(name in fields, name).toBe(operation.cursor !== undefined);
    }
    expect(Check(schema, content.example)).toBe(true);
    expect([[], [null], [{}]]).not.toContainEqual(Object(content.example).result?.data);
  });

  it.each(paths)("describes every error of $path with an example that matches its schema", ({ path, operation }) => {
    const responses = objectAt(document, "paths", path, "post", "responses");
    const common: ErrorStatus[] = ["INVALID_ARGUMENT", "PERMISSION_DENIED", "INTERNAL", "UNAVAILABLE"];
    for (const error of [...common, ...(operation.errors ?? [])]) {
      const { status, httpStatus } =
        typeof error === "object" ? error : { status: error, httpStatus: ERROR_CATALOGUE[error].httpStatus };
      expectErrorExample(responses, httpStatus, status);
    }
    expectErrorExample(responses, 413, "INVALID_ARGUMENT");
    expectErrorExample(responses, 415, "INVALID_ARGUMENT");
  });
});

describe("GET /openapi.json", () => {
  it("serves the document, compressed, and only once to each browser", async () => {
    const server = Fastify();
    registerOpenApi(server, () => document);
    expect((await server.inject("/openapi.json")).json()).toEqual(document);
    const headers = { "accept-encoding": "gzip, br" };
    const response = await server.inject({ url: "/openapi.json", headers });
    expect(response.headers).toMatchObject({ "content-encoding": "gzip", "x-content-type-options": "nosniff" });
    expect(response.rawPayload.length).toBeLessThan(200_000);
    const again = { ...headers, "if-none-match": response.headers.etag };
    expect((await server.inject({ url: "/openapi.json", headers: again })).statusCode).toBe(304);
    await server.close();
  });
});

function expectErrorExample(responses: object, httpStatus: number, status: ErrorStatus): void {
  const example = at(responses, String(httpStatus), "content", "application/json", "examples", status, "value");
  expect(at(example, "error", "status")).toBe(status);
  expect(Check(objectAt(document, "components", "schemas", "Error"), example)).toBe(true);
}

/** Returns the value at this path of keys. Throws if a key is missing. */
function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce((part, key) => {
    if (!isObject(part) || !(key in part)) throw new Error(`${key} is missing in ${keys.join(" → ")}`);
    return part[key];
  }, value);
}

function objectAt(value: unknown, ...keys: string[]): Record<string, unknown> {
  const part = at(value, ...keys);
  if (!isObject(part)) throw new Error(`${keys.join(" → ")} is not an object`);
  return part;
}

/** Returns the value with its references replaced by the named schemas. Throws for an unknown name. */
function resolved(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (_, part) => {
    const reference: unknown = isObject(part) ? part.$ref : undefined;
    return typeof reference === "string" ? resolved(objectAt(document, ...reference.split("/").slice(1))) : part;
  });
}

function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

function unknownParts(value: unknown, path = ""): string[] {
  if (typeof value === "function" || typeof value === "symbol" || value === undefined) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Reflect.ownKeys(value).flatMap((key) => [
    ...(String(key).startsWith("~") ? [`${path}/${String(key)}`] : []),
    ...(Array.isArray(value) && key === "length"
      ? []
      : unknownParts(Reflect.get(value, key), `${path}/${String(key)}`)),
  ]);
}
