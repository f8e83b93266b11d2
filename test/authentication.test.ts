import { expect, test } from "vitest";
import type { Reason } from "../src/contract/errors.ts";
import { SCOPES, type Scope } from "../src/contract/scopes.ts";
import { addToken, createToken, revokeToken } from "../src/features/workspaces/workspaces.ts";
import { endpoints } from "./examples.ts";
import { post, startOwnTestService } from "./harness.ts";

const service = await startOwnTestService((config) => ({ authHeaderPrefixes: [...config.authHeaderPrefixes, "acme"] }));
const authenticated = endpoints.filter(({ operation }) => operation.authentication !== "none");

/** Sends the headers to a plain, a paginated and an asynchronous operation. */
async function expectRejected(headers: Record<string, string>, reason: Reason): Promise<void> {
  for (const path of ["/v2/activities/add", "/v2/activities/get", "/v2/users/data/delete"]) {
    await expectRejectedAt(path, headers, reason);
  }
}

async function expectRejectedAt(path: string, headers: Record<string, string>, reason: Reason): Promise<void> {
  const example = authenticated.find((endpoint) => endpoint.path === path)?.example;
  const error = { status: "PERMISSION_DENIED", details: { reason } };
  expect(await post(`${service.address}${path}`, example, headers), path).toMatchObject({
    httpStatus: 403,
    body: { error },
  });
}

test("every operation but the public one rejects a request without headers as PERMISSION_DENIED", async () => {
  for (const { path } of authenticated) await expectRejectedAt(path, {}, "credentials_missing");
});

test("a request without one of the two headers is PERMISSION_DENIED", async () => {
  const { apiKey, authToken } = await service.workspace();
  await expectRejected({ "x-service-auth-token": authToken }, "credentials_missing");
  await expectRejected({ "x-service-api-key": apiKey }, "credentials_missing");
});

test("an unknown API key is PERMISSION_DENIED with any auth token", async () => {
  const { headers } = await service.workspace();
  await expectRejected({ ...headers, "x-service-api-key": "unknown" }, "api_key_invalid");
});

test("an invalid auth token is PERMISSION_DENIED", async () => {
  const { headers } = await service.workspace();
  await expectRejected({ ...headers, "x-service-auth-token": "wrong" }, "auth_token_invalid");
});

test("an API key and an auth token of different workspaces are PERMISSION_DENIED", async () => {
  const [{ apiKey }, { headers }] = await Promise.all([service.workspace(), service.workspace()]);
  await expectRejected({ ...headers, "x-service-api-key": apiKey }, "auth_token_invalid");
});

test("an API key and an auth token in headers of different prefixes are PERMISSION_DENIED", async () => {
  const { apiKey, authToken } = await service.workspace();
  const headers = { "x-acme-api-key": apiKey, "x-service-auth-token": authToken };
  await expectRejected(headers, "credentials_missing");
});

test("an expired auth token is PERMISSION_DENIED", async () => {
  const { id, headers } = await service.workspace();
  const authToken = "an expired token";
  await addToken(service.database, {
    workspaceId: id,
    name: "old",
    scopes: SCOPES,
    authToken,
    expiresAt: Date.now() - 1,
  });
  await expectRejected({ ...headers, "x-service-auth-token": authToken }, "auth_token_expired");
});

test.each([
  ["read", "/v2/organizations/get", {}],
  ["write", "/v2/presence/add", { organizationId: "o", documentId: "d", users: [{ userId: "u" }] }],
  ["admin", "/v2/workspace/audit/get", {}],
  // These return secrets.
  ["admin", "/v2/workspace/emailconfig/get", {}],
  ["admin", "/v2/workspace/webhookconfig/get", {}],
] as const)(
  "an auth token without the scope %s is PERMISSION_DENIED by %s, and one with only it is accepted",
  async (scope, path, data) => {
    const workspace = await service.workspace();
    const call = async (scopes: Scope[]) => {
      const { authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "scoped", scopes });
      return post(`${service.address}${path}`, data, { ...workspace.headers, "x-service-auth-token": authToken });
    };
    expect(await call(SCOPES.filter((other) => other !== scope))).toMatchObject({
      httpStatus: 403,
      body: { error: { status: "PERMISSION_DENIED", details: { reason: "scope_missing", scope } } },
    });
    expect(await call([scope])).toMatchObject({ httpStatus: 200 });
  },
);

test("a revoked auth token is PERMISSION_DENIED", async () => {
  const { id, headers } = await service.workspace();
  const token = { workspaceId: id, name: "second", expiresAt: undefined };
  const { tokenId, authToken } = await createToken(service.database, token);
  await revokeToken(service.database, tokenId);
  await expectRejected({ ...headers, "x-service-auth-token": authToken }, "auth_token_invalid");
});
