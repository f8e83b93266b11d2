import { describe, expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { startTestService, TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { ownedWorkspace, signIn } from "../../../../test/sessions.ts";
import { SCOPES } from "../../../contract/scopes.ts";
import { deleteExpiredRows } from "../../../database/expiry.ts";
import { addToken } from "../workspaces.ts";
import { deleteExpiredRevokedTokens } from "./expiry.ts";

const ADD = "/v2/workspace/authtokens/add";
const GET = "/v2/workspace/authtokens/get";
const DELETE = "/v2/workspace/authtokens/delete";
const UNKNOWN = "0198c0de-7a11-4b1d-9c3e-2f6a5b8d4e10";
const service = await startTestService();
const { address: other } = await service.secondProcess();

function withToken(workspace: TestWorkspace, authToken: string, address = service.address): TestWorkspace {
  return new TestWorkspace(address, { workspaceId: workspace.id, apiKey: workspace.apiKey, authToken });
}

async function list(workspace: TestWorkspace) {
  const { authTokens } = await workspace.data(GET, {});
  return authTokens;
}

describe("a new token", () => {
  test("authenticates requests for the workspace, and only that response contains its secret", async () => {
    const workspace = await service.workspace();
    const made = await workspace.data(ADD, { name: "billing" });
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: "billing",
      scopes: ["read", "write", "admin"],
      expiresAt: null,
      authToken: expect.stringMatching(/^colloquy_token_[\da-f]{64}$/),
    });
    const listed = await list(withToken(workspace, made.authToken));
    expect(listed.map(({ name }) => name)).toEqual(["first", "billing"]);
    expect(JSON.stringify(listed)).not.toContain(made.authToken);
    const rows = await runSql(service.database, "select whole::text as text from auth_tokens whole");
    expect(JSON.stringify(rows)).not.toContain(made.authToken);
  });

  test("is recognized by its last four characters, unless they are unknown or it is too short", async () => {
    const workspace = await service.workspace();
    const { id, authToken } = await workspace.data(ADD, { name: "long" });
    const short = { workspaceId: workspace.id, name: "short", scopes: SCOPES, expiresAt: undefined };
    await addToken(service.database, { ...short, authToken: `short-${workspace.id}`.slice(0, 31) });
    await runSql(
      service.database,
      "update auth_tokens set last_characters = null where workspace_id = $1 and id <> $2",
      [...[workspace.id, id]],
    );
    expect((await list(workspace)).map(({ name, token }) => [name, token])).toEqual([
      ["first", "********"],
      ["long", `********${authToken.slice(-4)}`],
      ["short", "********"],
    ]);
  });

  test("has the given expiry, which must be in the future", async () => {
    const workspace = await service.workspace();
    const expiresAt = Date.now() + 60_000;
    expect(await workspace.data(ADD, { name: "short", expiresAt })).toMatchObject({ expiresAt });
    expect(await list(workspace)).toContainEqual(expect.objectContaining({ name: "short", expiresAt }));
    expect(await workspace.data(ADD, { name: "long", expiresAt: 8.64e15 })).toMatchObject({ expiresAt: 8.64e15 });
    for (const past of [0, Date.now()]) {
      const error = await workspace.error(ADD, { name: "old", expiresAt: past });
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: "data.expiresAt must be in the future" });
    }
    expect(await list(workspace)).toHaveLength(3);
  });

  test("is rejected beyond 1,000, even if many are created concurrently", async () => {
    const workspace = await service.workspace();
    await runSql(
      service.database,
      `insert into auth_tokens (id, workspace_id, name, token_hash)
       select gen_random_uuid(), $1::uuid, 'many',
         sha256(convert_to($1::uuid || '-' || n, 'UTF8')) from generate_series(1, 996) n`,
      [workspace.id],
    );
    const responses = await Promise.all(Array.from({ length: 8 }, () => workspace.call(ADD, { name: "more" })));
    const statuses = responses.map(({ httpStatus }) => httpStatus).sort();
    expect(statuses).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
    expect(await workspace.error(ADD, { name: "more" })).toMatchObject({ details: { reason: "limit_reached" } });
    expect(await list(workspace)).toHaveLength(1_000);
  });
});

describe("a revoked token", () => {
  test("is rejected at once here, and within a second by another process that has cached it", async () => {
    const workspace = await service.workspace();
    const { id, authToken } = await workspace.data(ADD, { name: "leaving" });
    const [here, there] = [withToken(workspace, authToken), withToken(workspace, authToken, other)];
    for (const caller of [here, there]) expect(await caller.call(GET, {})).toMatchObject({ httpStatus: 200 });
    expect(await workspace.data(DELETE, { tokenIds: [id.toUpperCase(), UNKNOWN, "no id", "__proto__"] })).toEqual(
      Object.fromEntries([
        [id.toUpperCase(), { success: true, message: "Auth token revoked." }],
        ...[UNKNOWN, "no id", "__proto__"].map((unknown) => [
          unknown,
          { success: false, message: "There is no such auth token." },
        ]),
      ]),
    );
    expect(await here.call(GET, {})).toMatchObject({ httpStatus: 403 });
    await expect.poll(() => there.call(GET, {}), BEFORE_CACHE_EXPIRY).toMatchObject({ httpStatus: 403 });
    expect((await list(workspace)).map(({ name }) => name)).toEqual(["first"]);
  });

  test("can be the caller's own", async () => {
    const workspace = await service.workspace();
    const [{ id } = expect.fail()] = await list(workspace);
    expect(await workspace.data(DELETE, { tokenIds: [id] })).toMatchObject({ [id]: { success: true } });
    expect(await workspace.call(GET, {})).toMatchObject({ httpStatus: 403 });
  });

  test("is revoked by one of two concurrent calls", async () => {
    const workspace = await service.workspace();
    const { id } = await workspace.data(ADD, { name: "twice" });
    const call = () => workspace.data(DELETE, { tokenIds: [id] });
    const responses = await Promise.all([call(), call(), call()]);
    expect(responses.map((response) => response[id]?.success).sort()).toEqual([false, false, true]);
  });

  test("stays valid if the call was for another workspace", async () => {
    const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
    const [{ id } = expect.fail()] = await list(theirs);
    expect(await mine.data(DELETE, { tokenIds: [id] })).toMatchObject({ [id]: { success: false } });
    expect(await list(theirs)).toHaveLength(1);
    expect((await list(mine)).map((token) => token.id)).not.toContain(id);
  });
});

test("a session manages the tokens of its workspace", async () => {
  const email = "tokens@owner.example";
  const [, second] = [await ownedWorkspace(service, email), await ownedWorkspace(service, email)];
  const session = await signIn(service, email);
  const on = { "x-colloquy-workspace": second.id };
  const { id, authToken } = await session.data(ADD, { name: "from the console" }, on);
  const caller = withToken(second, authToken);
  expect((await list(caller)).map(({ name }) => name)).toEqual(["first", "from the console"]);
  expect((await session.data(GET, {})).authTokens).toHaveLength(1);
  await session.data(DELETE, { tokenIds: [id] }, on);
  expect(await caller.call(GET, {})).toMatchObject({ httpStatus: 403 });
});

describe("scopes", () => {
  test("of a new token are those given, without repetition, else all", async () => {
    const workspace = await service.workspace();
    await workspace.data(ADD, { name: "reader", scopes: ["read", "read"] });
    const listed = await list(workspace);
    expect(listed.map(({ name, scopes }) => [name, scopes])).toEqual([
      ["first", ["read", "write", "admin"]],
      ["reader", ["read"]],
    ]);
  });
});

describe("replacing the token of a request", () => {
  const RESET = "/v2/workspace/authtoken/reset";

  test("revokes it everywhere and creates one with its name, scopes and expiry", async () => {
    const workspace = await service.workspace();
    const expiresAt = Date.now() + 60_000;
    const given = { name: "rotated", scopes: ["write" as const, "admin" as const], expiresAt };
    const { authToken } = await workspace.data(ADD, given);
    const there = withToken(workspace, authToken, other);
    expect(await there.call(GET, {})).toMatchObject({ httpStatus: 200 });
    const { newAuthToken, ...response } = await withToken(workspace, authToken).data(RESET, {
      apiKey: workspace.apiKey,
    });
    expect(response).toEqual({ apiKey: workspace.apiKey });
    expect(newAuthToken).toMatchObject({ name: "rotated", domains: [] });
    const [, listed] = await list(withToken(workspace, newAuthToken.token));
    expect(listed).toMatchObject(given);
    expect(await withToken(workspace, authToken).call(GET, {})).toMatchObject({ httpStatus: 403 });
    await expect.poll(() => there.call(GET, {}), BEFORE_CACHE_EXPIRY).toMatchObject({ httpStatus: 403 });
  });

  test("succeeds for one of two concurrent calls", async () => {
    const workspace = await service.workspace();
    const calls = [1, 2].map(() => workspace.call(RESET, { apiKey: workspace.apiKey }));
    const statuses = (await Promise.all(calls)).map(({ httpStatus }) => httpStatus);
    expect(statuses.sort()).toEqual([200, 403]);
  });

  test("is NOT_FOUND for the API key of another workspace, and FAILED_PRECONDITION for a session", async () => {
    const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
    for (const path of [RESET, GET]) {
      expect(await mine.error(path, { apiKey: theirs.apiKey })).toMatchObject({ status: "NOT_FOUND" });
    }
    const email = "reset@owner.example";
    const { apiKey } = await ownedWorkspace(service, email);
    const session = await signIn(service, email);
    expect(await session.call(RESET, { apiKey })).toMatchObject({
      httpStatus: 400,
      body: { error: { details: { reason: "auth_token_required" } } },
    });
  });
});

describe("a revoked token", () => {
  test("is listed with the other revoked ones on request, and is named in the audit log", async () => {
    const workspace = await service.workspace();
    const { id, authToken } = await workspace.data(ADD, { name: "leaked" });
    await workspace.data(DELETE, { tokenIds: [id] });
    expect((await list(workspace)).map(({ name }) => name)).toEqual(["first"]);
    const { authTokens } = await workspace.data(GET, { includeRevoked: true });
    expect(authTokens).toMatchObject([
      { name: "first" },
      { id, name: "leaked", token: `********${authToken.slice(-4)}`, revokedAt: expect.any(Number) },
    ]);
    const [entry] = await workspace.data("/v2/workspace/audit/get", { actions: ["auth_token.delete"] });
    expect(entry?.target).toEqual({ tokenIds: [id], tokenNames: ["leaked"] });
    const other = await service.workspace();
    expect((await other.data(GET, { includeRevoked: true })).authTokens).toHaveLength(1);
  });

  test("is deleted after the retention", async () => {
    const workspace = await service.workspace();
    for (const name of ["old", "recent"]) {
      const { id } = await workspace.data(ADD, { name });
      await workspace.data(DELETE, { tokenIds: [id] });
    }
    const age =
      "update revoked_auth_tokens set revoked_at = now() - interval '31 days' where workspace_id = $1 and name = 'old'";
    await runSql(service.database, age, [workspace.id]);
    await deleteExpiredRows(deleteExpiredRevokedTokens(service.database, 30));
    const { authTokens } = await workspace.data(GET, { includeRevoked: true });
    expect(authTokens.map(({ name }) => name)).toEqual(["first", "recent"]);
  });
});
