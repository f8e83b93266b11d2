import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../../test/crdt.ts";
import { openEventStream } from "../../../../test/event-streams.ts";
import { eventually } from "../../../../test/eventually.ts";
import { addActivities, SCOPE } from "../../../../test/factories.ts";
import { post, startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { removeGrant } from "../../../../test/permissions.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { getRejection, getText, openPage, openSyncedPage } from "../../../../test/sync.ts";
import { generateIssuerKey, issuerHeaders, startIssuer } from "../../../../test/token-issuer.ts";
import { deleteUserData } from "../../../../test/user-data.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
const { address } = service;
const issuer = await startIssuer();
const READ = "/v2/activities/get";
const ADD = "/v2/commentannotations/add";

/** Creates a workspace with a document of "acme" that accepts the issuer. */
async function acceptingWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await issuer.enable(workspace);
  return workspace;
}

/** Calls an operation as a page does, and returns the reason of the error, or `undefined`. */
async function reasonOf(headers: Record<string, string>, path = READ, data: object = {}): Promise<unknown> {
  const { body } = await post(`${address}${path}`, { ...SCOPE, ...data }, headers);
  return Object(body).error?.details?.reason;
}

const reading = async (workspace: TestWorkspace, token: string) => reasonOf(issuerHeaders(workspace, token));

test("a token of the issuer reads and writes what its organization allows, in the name of its user", async () => {
  const workspace = await acceptingWorkspace();
  const photoUrl = "https://example.com/ada.png";
  const user = { sub: "ada", name: "Ada", email: "ada@example.com", picture: photoUrl };
  const headers = issuerHeaders(workspace, await issuer.sign({ ...user, orgs: ["acme"] }));
  const commentAnnotations = [{ annotationId: "one", commentData: [{ commentText: "Hello" }] }];
  expect(await reasonOf(headers, ADD, { commentAnnotations })).toBeUndefined();
  const read = await workspace.data("/v2/commentannotations/get", { ...SCOPE, annotationIds: ["one"] });
  expect(Object(read)[0]?.from).toMatchObject({ userId: "ada", name: "Ada", email: "ada@example.com", photoUrl });
  const forged = [{ commentData: [{ commentText: "Hello", from: { photoUrl: "https://example.com/eve.png" } }] }];
  expect(await reasonOf(headers, ADD, { commentAnnotations: forged })).toBe("identity_mismatch");
  expect(await reasonOf(headers, READ, { organizationId: "globex" })).toBe("access_denied");
  expect(await reasonOf(headers, "/v2/workspace/authtokens/get")).toBe("backend_only");
});

test("a token without an organization grants nothing, and stored permissions decide", async () => {
  const workspace = await acceptingWorkspace();
  const token = await issuer.sign({ sub: "grace" });
  expect(await reading(workspace, token)).toBe("access_denied");
  const users = [{ userId: "grace", accessRole: "viewer" as const }];
  await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users });
  await expect.poll(() => reading(workspace, token)).toBeUndefined();
});

test("a token counts only in the workspace of the API key, also while both are in flight", async () => {
  const [mine, theirs, third] = [await acceptingWorkspace(), await acceptingWorkspace(), await service.workspace()];
  await theirs.data("/v2/workspace/tokenissuerconfig/update", { audience: "theirs" });
  const [forMine, forBoth] = [await issuer.sign({ orgs: "acme" }), await issuer.sign({ aud: ["colloquy", "theirs"] })];
  const responses = await Promise.all([
    ...[mine, theirs, third].map((workspace) => reading(workspace, forMine)),
    ...[mine, theirs, third].map((workspace) => reading(workspace, forBoth)),
  ]);
  const invalid = "user_token_invalid";
  expect(responses).toEqual([undefined, invalid, invalid, "access_denied", "access_denied", invalid]);
  // The user is another one in each workspace: what ends the tokens in one does not in the other.
  await mine.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
  expect(await reading(mine, forBoth)).toBe("user_token_revoked");
  expect(await reading(theirs, forBoth)).toBe("access_denied");
});

test("a token of the issuer needs the API key of its workspace, and no auth token", async () => {
  const workspace = await acceptingWorkspace();
  const { authorization = "", ...apiKey } = issuerHeaders(workspace, await issuer.sign({ orgs: "acme" }));
  expect(await reasonOf({ authorization })).toBe("user_token_invalid");
  expect(await reasonOf({ authorization, "x-service-api-key": "" })).toBe("user_token_invalid");
  expect(await reasonOf({ authorization, "x-service-api-key": "made-up" })).toBe("api_key_invalid");
  expect(await reasonOf({ authorization, ...workspace.headers })).toBe("credentials_ambiguous");
  expect(await reasonOf({ authorization, ...apiKey })).toBeUndefined();
});

test("another workspace's issuer, and a key of the own issuer at another URL, are rejected", async () => {
  const [workspace, other] = [await acceptingWorkspace(), await startIssuer("https://other.example/")];
  const foreign = await other.sign({ orgs: "acme" });
  const pretending = await other.sign({ orgs: "acme", iss: issuer.name });
  for (const token of [foreign, pretending]) expect(await reading(workspace, token)).toBe("user_token_invalid");
  expect(other.fetches).toBe(0);
});

test("tokens of the service are accepted without the API key or beside it, and not beside another one", async () => {
  const [workspace, theirs] = [await acceptingWorkspace(), await acceptingWorkspace()];
  const token = await tokenFor(workspace, "ada");
  expect(await reading(workspace, token)).toBeUndefined();
  expect(await reading(theirs, token)).toBe("user_token_invalid");
  expect(await reasonOf({ authorization: `Bearer ${token}` })).toBeUndefined();
});

test("a revocation ends the tokens that were issued before it, on every process, and no later ones", async () => {
  const workspace = await acceptingWorkspace();
  const second = await service.secondProcess();
  const now = Math.floor(Date.now() / 1000);
  const [before, after] = [
    await issuer.sign({ orgs: "acme", iat: now - 60 }),
    await issuer.sign({ orgs: "acme", iat: now }),
  ];
  expect(await reading(workspace, before)).toBeUndefined();
  await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
  expect(await reading(workspace, before)).toBe("user_token_revoked");
  const there = async () => {
    const { body } = await post(`${second.address}${READ}`, SCOPE, issuerHeaders(workspace, before));
    return Object(body).error?.details?.reason;
  };
  await expect.poll(there).toBe("user_token_revoked");
  // The clock of the issuer may be ten seconds ahead, so a token of the same moment may have been issued before.
  expect(await reading(workspace, after)).toBe("user_token_revoked");
  const age = "update user_token_revocations set revoked_at = revoked_at - 20000 where workspace_id = $1";
  await runSql(service.database, age, [workspace.id]);
  await issuer.enable(workspace);
  expect([await reading(workspace, before), await reading(workspace, after)]).toEqual([
    "user_token_revoked",
    undefined,
  ]);
});

test("a deletion of the user's data ends the tokens that were issued before it", async () => {
  const workspace = await acceptingWorkspace();
  const token = await issuer.sign({ orgs: "acme", iat: Math.floor(Date.now() / 1000) - 60 });
  expect(await reading(workspace, token)).toBeUndefined();
  await deleteUserData(workspace, ["ada"]);
  expect(await reading(workspace, token)).toBe("user_token_revoked");
});

test("a removed permission ends the grant of the tokens that were issued before it, and of no later ones", async () => {
  const workspace = await acceptingWorkspace();
  const before = await issuer.sign({ orgs: "acme", iat: Math.floor(Date.now() / 1000) - 60 });
  expect(await reading(workspace, before)).toBeUndefined();
  await removeGrant(workspace, "ada", "organization acme");
  await expect.poll(() => reading(workspace, before)).toBe("access_denied");
  const age = "update removed_token_grants set removed_at = removed_at - 20000 where user_id = 'ada'";
  await runSql(service.database, age);
  expect(await reading(workspace, await issuer.sign({ orgs: "acme" }))).toBeUndefined();
  await expect.poll(() => reading(workspace, before)).toBe("access_denied");
});

test("a deleted organization that is created again is closed to the tokens before it", async () => {
  const workspace = await acceptingWorkspace();
  const token = await issuer.sign({ orgs: "acme", iat: Math.floor(Date.now() / 1000) - 60 });
  expect(await reading(workspace, token)).toBeUndefined();
  await workspace.data("/v2/organizations/delete", { organizationIds: ["acme"] });
  const add = () => addActivities(workspace, ["b"]);
  await eventually(add);
  await expect.poll(() => reading(workspace, token)).toBe("access_denied");
});

test("a key that the issuer adds is accepted without a restart", async () => {
  const [workspace, rotating] = [await acceptingWorkspace(), await startIssuer("https://rotating.example/")];
  rotating.keys.push(await generateIssuerKey("second", "RS256"));
  await rotating.enable(workspace);
  expect(await reading(workspace, await rotating.sign({ orgs: "acme" }))).toBeUndefined();
});

test("an unreachable issuer makes requests UNAVAILABLE, and its expired tokens stay expired", async () => {
  const [workspace, away] = [await acceptingWorkspace(), await startIssuer("https://away.example/")];
  away.respond = (response) => void response.destroy();
  await away.enable(workspace);
  const { httpStatus, headers, body } = await post(
    `${address}${READ}`,
    SCOPE,
    issuerHeaders(workspace, await away.sign({ orgs: "acme" })),
  );
  expect(body).toMatchObject({ error: { status: "UNAVAILABLE", details: { reason: "token_issuer_unavailable" } } });
  expect([httpStatus, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(away.fetches).toBe(1);
  const expired = await away.sign({ orgs: "acme", exp: Math.floor(Date.now() / 1000) - 1 });
  expect(await reading(workspace, expired)).toBe("user_token_expired");
  expect(await (await fetch(`${address}/metrics`)).text()).toMatch(
    /colloquy_signing_key_fetches_total\{outcome="failed"\} [1-9]/,
  );
});

test("keys on a private address are not fetched unless private addresses are allowed", async () => {
  const strict = await startOwnTestService();
  const [workspace, inner] = [await strict.workspace(), await startIssuer("https://inner.example/")];
  const url = inner.jwksUrl.replace("http:", "https:");
  await inner.enable(workspace, { jwksUrl: url });
  const headers = issuerHeaders(workspace, await inner.sign({ orgs: "acme" }));
  const { body } = await post(`${strict.address}${READ}`, SCOPE, headers);
  const message =
    "The signing keys of the token issuer cannot be fetched. The address is private, and ALLOW_PRIVATE_ADDRESSES is " +
    "not set.";
  expect(body).toMatchObject({ error: { message, details: { reason: "token_issuer_unavailable" } } });
  expect(inner.fetches).toBe(0);
});

test("a user of the issuer has a stream, which ends with the issuer and after a revocation", async () => {
  for (const end of ["revocation", "issuer"]) {
    const workspace = await acceptingWorkspace();
    const token = await issuer.sign({ orgs: "acme", iat: Math.floor(Date.now() / 1000) - 60 });
    const stream = await openEventStream(workspace, address, { headers: issuerHeaders(workspace, token) });
    expect(stream.response.status).toBe(200);
    await addActivities(workspace, ["one"]);
    await expect.poll(() => stream.events()).toContainEqual(["activity.add", { id: "one" }]);
    if (end === "revocation") await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
    else await workspace.data("/v2/workspace/tokenissuerconfig/update", { isEnabled: false });
    await stream.ended;
  }
});

test("a user of the issuer synchronizes a document, by the API key in the URL of the socket", async () => {
  const workspace = await acceptingWorkspace();
  const { apiKey } = workspace;
  await addContent(workspace, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "one" });
  const token = await issuer.sign({ orgs: "acme", iat: Math.floor(Date.now() / 1000) - 60 });
  expect(await getRejection(openPage(address, { token }))).toBe("user_token_invalid");
  const theirs = await service.workspace();
  expect(await getRejection(openPage(address, { token, apiKey: theirs.apiKey }))).toBe("user_token_invalid");
  const page = await openSyncedPage(address, { token, apiKey });
  expect(getText(page)).toBe("one");
  await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
  expect(await getRejection(page)).toBe("user_token_revoked");
});

test("a document closes when its workspace does not accept the issuer any more", async () => {
  const workspace = await acceptingWorkspace();
  await addContent(workspace, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "one" });
  const page = await openSyncedPage(address, { token: await issuer.sign({ orgs: "acme" }), apiKey: workspace.apiKey });
  await workspace.data("/v2/workspace/tokenissuerconfig/update", { isEnabled: false });
  expect(await getRejection(page)).toBe("user_token_invalid");
});

test("a web page of an allowed domain may call with a token of the issuer", async () => {
  const workspace = await acceptingWorkspace();
  const headers = { ...issuerHeaders(workspace, await issuer.sign({ orgs: "acme" })), origin: "https://app.example" };
  expect(await reasonOf(headers)).toBe("origin_not_allowed");
  await workspace.data("/v2/workspace/domains/add", { domains: ["app.example"] });
  await workspace.data("/v2/workspace/apikeyconfig/update", { requireJwtToken: true });
  await expect.poll(() => reasonOf(headers)).toBeUndefined();
});
