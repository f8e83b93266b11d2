import { expect, test } from "vitest";
import { addToken, createToken, revokeToken } from "../src/features/workspaces/workspaces.ts";
import { endpoints } from "./examples.ts";
import { post, startOwnTestService } from "./harness.ts";

const service = await startOwnTestService((config) => ({ authHeaderBrands: [...config.authHeaderBrands, "acme"] }));
const authenticated = endpoints.filter(({ operation }) => operation.authentication !== "none");

/** Sends the headers to a plain, a paginated and an asynchronous operation. */
async function expectRefused(headers: Record<string, string>, message: string): Promise<void> {
  for (const path of ["/v2/activities/add", "/v2/activities/get", "/v2/users/data/delete"]) {
    await expectRefusedAt(path, headers, message);
  }
}

async function expectRefusedAt(path: string, headers: Record<string, string>, message: string): Promise<void> {
  const example = authenticated.find((endpoint) => endpoint.path === path)?.example;
  const error = { status: "PERMISSION_DENIED", message: expect.stringContaining(message) };
  expect(await post(`${service.address}${path}`, example, headers), path).toMatchObject({
    httpStatus: 403,
    body: { error },
  });
}

test("every operation but the public one refuses a request without headers as PERMISSION_DENIED", async () => {
  for (const { path } of authenticated) await expectRefusedAt(path, {}, "Missing header x-service-api-key.");
});

test("a request without one of the two headers is PERMISSION_DENIED", async () => {
  const { apiKey, authToken } = await service.workspace();
  await expectRefused({ "x-service-auth-token": authToken }, "Missing header x-service-api-key.");
  await expectRefused({ "x-service-api-key": apiKey }, "Missing header x-service-auth-token.");
});

test("an unknown API key is PERMISSION_DENIED with any auth token", async () => {
  const { headers } = await service.workspace();
  await expectRefused({ ...headers, "x-service-api-key": "unknown" }, "Invalid API key.");
});

test("an invalid auth token is PERMISSION_DENIED", async () => {
  const { headers } = await service.workspace();
  await expectRefused({ ...headers, "x-service-auth-token": "wrong" }, "Invalid auth token.");
});

test("an API key and an auth token of different workspaces are PERMISSION_DENIED", async () => {
  const [{ apiKey }, { headers }] = await Promise.all([service.workspace(), service.workspace()]);
  await expectRefused({ ...headers, "x-service-api-key": apiKey }, "Invalid auth token.");
});

test("an API key and an auth token in the headers of different brands are PERMISSION_DENIED", async () => {
  const { apiKey, authToken } = await service.workspace();
  const headers = { "x-acme-api-key": apiKey, "x-service-auth-token": authToken };
  await expectRefused(headers, "Missing header x-acme-auth-token.");
});

test("an expired auth token is PERMISSION_DENIED", async () => {
  const { id, headers } = await service.workspace();
  const authToken = "an expired token";
  await addToken(service.database, { workspaceId: id, name: "old", authToken, expiresAt: Date.now() - 1 });
  await expectRefused({ ...headers, "x-service-auth-token": authToken }, "Expired auth token.");
});

test("a revoked auth token is PERMISSION_DENIED", async () => {
  const { id, headers } = await service.workspace();
  const token = { workspaceId: id, name: "second", expiresAt: undefined };
  const { tokenId, authToken } = await createToken(service.database, token);
  await revokeToken(service.database, tokenId);
  await expectRefused({ ...headers, "x-service-auth-token": authToken }, "Invalid auth token.");
});
