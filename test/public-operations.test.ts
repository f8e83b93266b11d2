import { expect, test } from "vitest";
import { getEvents } from "../src/features/events/get.ts";
import { openApiDocument } from "../src/http/openapi.ts";
import { operations } from "../src/operations.ts";
import { exampleIn, expectedSuccess } from "./examples.ts";
import { post, startTestService } from "./harness.ts";

const service = await startTestService();
const open = operations.filter(({ authentication }) => authentication === "none");

test("only the version, sending a login link, and operations with credentials in the body, require no headers", () => {
  const withoutCredentials = open.filter(({ example }) => !("authToken" in Object(example)));
  expect(withoutCredentials.map(({ path }) => path)).toEqual(["/v2/version", "/v2/workspace/email/send-login-link"]);
  expect(open.map(({ path }) => path).sort()).toEqual([
    "/v1/auth/token/get",
    "/v1/organizations/documents/locations/data/delete",
    "/v1/organizations/documents/locations/update",
    "/v2/version",
    "/v2/workspace/email/send-login-link",
  ]);
});

test("the reference says which operations need no headers, and which accept user tokens", () => {
  const { paths } = Object(
    openApiDocument({
      operations,
      eventOperation: getEvents,
      publicUrl: "http://a.example",
      headerPrefixes: ["a"],
      version: "1",
    }),
  );
  const backend = { "x-a-api-key": [], "x-a-auth-token": [] };
  const ofIssuer = { "x-a-api-key": [], userToken: [] };
  for (const operation of operations) {
    const { path, authentication } = operation;
    const ofUsers = operation.endUsers ? [backend, { userToken: [] }, ofIssuer] : undefined;
    expect(paths[path].post.security, path).toEqual(authentication === "none" ? [] : ofUsers);
  }
});

test.each(open)("$path requires no headers and ignores them", async (operation) => {
  const workspace = await service.workspace();
  const { apiKey } = workspace;
  const example = await exampleIn(workspace, operation.path, operation.example);
  const unknown = { "x-service-api-key": "unknown" };
  const wrong = { "x-service-api-key": apiKey, "x-service-auth-token": "wrong" };
  for (const headers of [{}, unknown, wrong, { cookie: "colloquy_session=wrong" }]) {
    const response = await post(`${service.address}${operation.path}`, example, headers);
    expect(response).toMatchObject(expectedSuccess(operation));
  }
});
