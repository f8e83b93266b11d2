import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../test/eventually.ts";
import { post, startTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserData } from "../../../test/user-data.ts";
import { callWith, claimsFor, getEditor, signClaims, TEST_KEYS, tokenFor } from "../../../test/user-tokens.ts";
import { UserTokenKeys } from "../../config/user-token-keys.ts";
import { deleteOldRevocations } from "./user-token-queries.ts";

const GENERATE = "/v2/auth/generate_token";
const REVOKE = "/v2/auth/tokens/revoke";
/** An operation that only backends call, so that a valid token is rejected for this reason alone. */
const BACKEND_ONLY = "/v2/workspace/authtokens/get";
const service = await startTestService();
const { address: other } = await service.secondProcess();

/** Returns the reason why a call with the token is rejected. */
async function reasonFor(token: string, { address = service.address, headers = {} } = {}): Promise<unknown> {
  const { body } = await callWith(token, `${address}${BACKEND_ONLY}`, {}, headers);
  return Object(body).error?.details.reason;
}

const now = () => Date.now() / 1000;

describe("a generated token", () => {
  test("is a JWT with the user, the grants and the workspace, valid for 48 hours", async () => {
    const workspace = await service.workspace();
    const folder = { type: "folder" as const, id: "f", organizationId: "acme", accessRole: "viewer" as const };
    const resources = [getEditor("acme"), { ...folder, expiresAt: 1_900_000_000 }];
    const token = await tokenFor(workspace, "ada", { resources });
    const { iat = 0, exp = 0, ...claims } = decodeJwt(token);
    expect(claims).toEqual({
      sub: "ada",
      aud: workspace.apiKey,
      name: "The user ada",
      email: "ada@example.com",
      isAdmin: false,
      resources: [
        { type: "organization", id: "acme", organizationId: "acme", accessRole: "editor" },
        { ...folder, expiresAt: 1_900_000_000 },
      ],
      num: expect.any(Number),
    });
    expect(exp - Math.ceil(iat)).toBe(172_800);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: "HS256",
      typ: "JWT",
      kid: expect.stringMatching(/^[\da-f]+$/),
    });
    expect(await reasonFor(token)).toBe("backend_only");
    expect(await reasonFor(token, { address: other })).toBe("backend_only");
  });

  test("has the given lifetime, of 60 seconds to 48 hours", async () => {
    const workspace = await service.workspace();
    const { iat = 0, exp = 0 } = decodeJwt(await tokenFor(workspace, "ada", { expiresInSeconds: 60 }));
    expect(exp - Math.ceil(iat)).toBe(60);
    for (const expiresInSeconds of [59, 172_801, 60.5]) {
      const given = { userId: "ada", userProperties: { name: "", email: "" }, expiresInSeconds };
      expect(
        await workspace.error(GENERATE, { ...given, permissions: { resources: [getEditor("acme")] } }),
      ).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "field_invalid" } });
    }
  });

  test.each([
    ["a document without organizationId", { resources: [{ type: "document", id: "d" }] }, "is required"],
    ["a folder without organizationId", { resources: [{ type: "folder", id: "f" }] }, "is required"],
    ["an organization of another id", { resources: [{ ...getEditor("a"), organizationId: "b" }] }, "must be the id"],
    ["an unknown type", { resources: [{ type: "workspace", id: "f" }] }, "must be one of"],
    ["an unknown role", { resources: [{ ...getEditor("a"), accessRole: "owner" }] }, "must be one of"],
    [
      "a repeated resource",
      { resources: [getEditor("a"), { ...getEditor("a"), accessRole: "viewer" }] },
      "is repeated",
    ],
    ["no resources", { resources: [] }, "must have at least 1 item"],
    [
      "more than 8 KiB",
      { resources: Array.from({ length: 40 }, (_, index) => getEditor(`${index}`.padStart(256, "x"))) },
      "makes a token of more than 8 KiB",
    ],
  ])("is rejected for %s", async (_, permissions, message) => {
    const workspace = await service.workspace();
    const request = { userId: "ada", userProperties: { name: "Ada", email: "" }, permissions };
    const error = await workspace.error(GENERATE, request);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
  });

  test("is rejected with organizationId among the properties, and outside of data", async () => {
    const workspace = await service.workspace();
    const request = { userId: "ada", permissions: { resources: [getEditor("acme")] } };
    const userProperties = { name: "Ada", email: "ada@example.com" };
    const extra = { ...request, userProperties: { ...userProperties, organizationId: "acme" } };
    expect(await workspace.error(GENERATE, extra)).toMatchObject({ details: { reason: "unknown_field" } });
    const bare = await workspace.call(GENERATE, JSON.stringify({ ...request, userProperties }));
    expect(bare).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
  });
});

describe("a token for credentials in the body", () => {
  const GET = "/v1/auth/token/get";

  test("makes the user an editor of the organization for 48 hours", async () => {
    const workspace = await service.workspace();
    const { apiKey, authToken } = workspace;
    const userProperties = { organizationId: "acme", email: "ada@example.com", isAdmin: true };
    const response = await callWith("", `${service.address}${GET}`, {
      apiKey,
      authToken,
      userId: "ada",
      userProperties,
    });
    const { token } = Object(response.body).result.data;
    expect(decodeJwt(token)).toMatchObject({
      sub: "ada",
      email: "ada@example.com",
      isAdmin: true,
      resources: [{ type: "organization", id: "acme", organizationId: "acme", accessRole: "editor" }],
    });
    expect(await reasonFor(token)).toBe("backend_only");
  });

  test("is PERMISSION_DENIED for wrong credentials, and without the scope admin", async () => {
    const workspace = await service.workspace();
    const { apiKey } = workspace;
    const scopes = ["read" as const, "write" as const];
    const { authToken } = await workspace.data("/v2/workspace/authtokens/add", { name: "writer", scopes });
    for (const [given, reason] of [
      [{ apiKey, authToken }, "scope_missing"],
      [{ apiKey, authToken: "wrong" }, "auth_token_invalid"],
      [{ apiKey: "wrong", authToken: workspace.authToken }, "api_key_invalid"],
    ] as const) {
      const response = await callWith("", `${service.address}${GET}`, { ...given, userId: "ada" });
      expect(response).toMatchObject({ httpStatus: 403, body: { error: { details: { reason } } } });
    }
  });
});

describe("a token is rejected", () => {
  test("if the service has not signed it with its own algorithm for the workspace that it names", async () => {
    const [workspace, theirs] = await Promise.all([service.workspace(), service.workspace()]);
    const claims = claimsFor(workspace);
    const { id: kid, key } = TEST_KEYS.current(workspace.apiKey);
    const [header = "", payload = "", signature = ""] = (await signClaims(workspace.apiKey, claims)).split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const otherClaims = encode({ ...claims, sub: "grace" });
    const sign = (alg: string) => new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
    const wrong = {
      "alg none": `${encode({ alg: "none", kid })}.${payload}.`,
      "alg none with the signature": `${encode({ alg: "none", kid })}.${payload}.${signature}`,
      "another algorithm": await sign("HS512"),
      "changed claims": `${header}.${otherClaims}.${signature}`,
      "another key": await signClaims(workspace.apiKey, claims, new UserTokenKeys([Buffer.alloc(32)])),
      "no key ID": await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(key),
      "the key of another workspace": await signClaims(theirs.apiKey, claims),
      "a workspace that does not exist": await signClaims("nobody", { ...claims, aud: "nobody" }),
      "several workspaces": await signClaims(workspace.apiKey, { ...claims, aud: [workspace.apiKey, theirs.apiKey] }),
      "no workspace": await signClaims(workspace.apiKey, { ...claims, aud: [] }),
      "no signature": `${header}.${payload}`,
      "no JWT": "x",
      "nbf in the future": await signClaims(workspace.apiKey, { ...claims, nbf: now() + 60 }),
      "more than 8 KiB": await signClaims(workspace.apiKey, { ...claims, name: "x".repeat(6_200) }),
    };
    for (const [what, token] of Object.entries(wrong)) {
      expect(await reasonFor(token), what).toBe("user_token_invalid");
    }
    expect(await reasonFor(`${header}.${payload}.${signature}`)).toBe("backend_only");
  });

  test("once it has expired", async () => {
    const workspace = await service.workspace();
    const expired = await signClaims(workspace.apiKey, { ...claimsFor(workspace), exp: now() - 1 });
    expect(await reasonFor(expired)).toBe("user_token_expired");
  });

  test("beside an auth token", async () => {
    const workspace = await service.workspace();
    const token = await tokenFor(workspace, "ada");
    const { "x-service-auth-token": authToken = "" } = workspace.headers;
    for (const headers of [workspace.headers, { "x-service-auth-token": authToken }]) {
      expect(await reasonFor(token, { headers })).toBe("credentials_ambiguous");
    }
  });

  test("from a page of no allowed domain of its workspace", async () => {
    const workspace = await service.workspace();
    const token = await tokenFor(workspace, "ada");
    const from = (host: string) => reasonFor(token, { headers: { origin: `https://${host}` } });
    const host = `${workspace.id}.example`;
    expect(await from(host)).toBe("origin_not_allowed");
    await workspace.data("/v2/workspace/domains/add", { domains: [host] });
    expect(await from(host)).toBe("backend_only");
    const theirs = await service.workspace();
    await theirs.data("/v2/workspace/domains/add", { domains: [`theirs-${host}`] });
    expect(await from(`theirs-${host}`)).toBe("origin_not_allowed");
  });
});

test("another scheme than Bearer does not count as a credential", async () => {
  const workspace = await service.workspace();
  const response = await workspace.call(BACKEND_ONLY, {}, { authorization: "Basic dXNlcjpwYXNz" });
  expect(response).toMatchObject({ httpStatus: 200 });
});

test("a header Authorization without a token is rejected by its name, also beside other credentials", async () => {
  const workspace = await service.workspace();
  const message = "The header Authorization has no user token after Bearer.";
  for (const authorization of ["Bearer", "Bearer ", "bearer  "]) {
    for (const headers of [{}, workspace.headers]) {
      const response = await post(`${service.address}${BACKEND_ONLY}`, {}, { ...headers, authorization });
      expect(response).toMatchObject({
        httpStatus: 403,
        body: { error: { message, details: { reason: "credentials_missing" } } },
      });
    }
  }
});

test("a token that is not a user token is rejected with the headers of an auth token", async () => {
  const { authToken } = await service.workspace();
  for (const token of ["two words", authToken]) {
    const { httpStatus, body } = await post(
      `${service.address}${BACKEND_ONLY}`,
      {},
      { authorization: `Bearer ${token}` },
    );
    const message = expect.stringContaining("An auth token belongs in the header x-service-auth-token");
    expect(body).toMatchObject({ error: { message, details: { reason: "user_token_invalid" } } });
    expect(httpStatus).toBe(403);
  }
});

describe("a revocation", () => {
  test("ends the tokens of the users at once here, and within a second at another process", async () => {
    const workspace = await service.workspace();
    const [ada, grace] = [await tokenFor(workspace, "ada"), await tokenFor(workspace, "grace")];
    for (const address of [service.address, other]) expect(await reasonFor(ada, { address })).toBe("backend_only");
    expect(await workspace.data(REVOKE, { userIds: ["ada", "__proto__"] })).toEqual(
      Object.fromEntries(["ada", "__proto__"].map((id) => [id, { success: true, message: "User tokens revoked." }])),
    );
    expect(await reasonFor(ada)).toBe("user_token_revoked");
    await expect.poll(() => reasonFor(ada, { address: other }), BEFORE_CACHE_EXPIRY).toBe("user_token_revoked");
    expect(await reasonFor(grace)).toBe("backend_only");
  });

  test("ends no token that is issued after its response, also in the same second", async () => {
    const workspace = await service.workspace();
    for (let repeated = 0; repeated < 5; repeated++) {
      const before = await tokenFor(workspace, "ada");
      await workspace.data(REVOKE, { userIds: ["ada"] });
      const after = await tokenFor(workspace, "ada");
      expect([await reasonFor(before), await reasonFor(after)]).toEqual(["user_token_revoked", "backend_only"]);
    }
  });

  test("ends no token of the same user in another workspace", async () => {
    const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
    const token = await tokenFor(theirs, "ada");
    await mine.data(REVOKE, { userIds: ["ada"] });
    expect(await reasonFor(token)).toBe("backend_only");
  });

  test("is part of the deletion of a user's data, and contains no user ID", async () => {
    const workspace = await service.workspace();
    const token = await tokenFor(workspace, "ada-to-delete");
    await deleteUserData(workspace, ["ada-to-delete"]);
    expect(await reasonFor(token)).toBe("user_token_revoked");
    const rows = await runSql(
      service.database,
      "select whole::text from user_token_revocations whole where workspace_id = $1",
      [workspace.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("ada-to-delete");
  });

  test("is deleted when the last token that it concerns has expired", async () => {
    const workspace = await service.workspace();
    await workspace.data(REVOKE, { userIds: ["ada"] });
    const rows = () =>
      runSql(service.database, "select from user_token_revocations where workspace_id = $1", [workspace.id]);
    await deleteOldRevocations(service.database, 60_000, 1_000);
    expect(await rows()).toHaveLength(1);
    await runSql(
      service.database,
      "update user_token_revocations set revoked_at = revoked_at - 70000 where workspace_id = $1",
      [workspace.id],
    );
    await deleteOldRevocations(service.database, 60_000, 1_000);
    expect(await rows()).toHaveLength(0);
  });
});
