import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { DEFAULT_COMMENT_NOTIFICATIONS } from "../../contract/comment-notifications.ts";
import { listTokens } from "./auth-tokens/auth-token-queries.ts";
import { generateApiKey, generateAuthToken, hashCredential } from "./credentials.ts";
import { findCaller, findWorkspace, listWorkspaces, markUsed, WORKSPACES_CHANNEL } from "./workspace-queries.ts";
import { chooseWorkspace, createToken, createWorkspace, revokeToken, setActivityService } from "./workspaces.ts";

const { database, connectionString } = await createTestDatabase();
const listener = new pg.Client({ connectionString });

beforeAll(async () => {
  await listener.connect();
  await listener.query(`listen ${WORKSPACES_CHANNEL}`);
});

beforeEach(async () => {
  await runSql(database, "truncate workspaces cascade");
});

afterAll(() => listener.end());

function find(apiKey: string, authToken: string) {
  return findCaller(database, { apiKeyHash: hashCredential(apiKey), authTokenHash: hashCredential(authToken) });
}

function nextNotification(): Promise<unknown> {
  return new Promise((resolve) => listener.once("notification", resolve));
}

test("API keys and auth tokens are URL-safe, have different prefixes, and are unique", () => {
  const credentials = Array.from({ length: 100 }, () => [generateApiKey(), generateAuthToken()]).flat();
  expect(new Set(credentials).size).toBe(200);
  expect(generateApiKey()).toMatch(/^colloquy_key_[0-9a-f]{32}$/);
  expect(generateAuthToken()).toMatch(/^colloquy_token_[0-9a-f]{64}$/);
});

test("a new workspace has its activity service off and valid credentials", async () => {
  const made = await createWorkspace(database, { name: "Acme", ownerEmail: "ada@acme.example" });
  const { workspace, token } = await find(made.apiKey, made.authToken);
  expect(workspace).toEqual({
    id: made.workspaceId,
    apiKey: made.apiKey,
    activityServiceEnabled: false,
    activitiesImmutable: false,
    defaultDocumentAccessType: "organizationPrivate",
    isContextEnabled: false,
    showUserEmails: false,
    requireJwtToken: false,
    requireAutoOrgUser: false,
    emailTriggers: [],
    commentNotifications: DEFAULT_COMMENT_NOTIFICATIONS,
  });
  expect(token?.workspaceId).toBe(made.workspaceId);
});

test("API key and auth token are looked up independently, so that a caller learns which is invalid", async () => {
  const made = await createWorkspace(database, { name: "Acme" });
  const wrongToken = await find(made.apiKey, "wrong");
  const wrongKey = await find("wrong", made.authToken);
  expect(wrongToken).toEqual({ workspace: expect.objectContaining({ id: made.workspaceId }), token: undefined });
  expect(wrongKey).toEqual({ workspace: undefined, token: expect.objectContaining({ workspaceId: made.workspaceId }) });
  expect(await find("wrong", "wrong")).toEqual({ workspace: undefined, token: undefined });
});

test("the database contains only the SHA-256 of an auth token", async () => {
  const { workspaceId, authToken } = await createWorkspace(database, { name: "Acme" });
  const rows = await runSql<{ text: string }>(
    database,
    "select t::text || w::text as text from auth_tokens t join workspaces w on w.id = t.workspace_id",
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).toContain(workspaceId);
  expect(rows[0]?.text).not.toContain(authToken.slice("colloquy_token_".length));
  expect(rows[0]?.text).toContain(hashCredential(authToken).toString("hex"));
});

test("the expiry of a token is exact to the millisecond", async () => {
  const { workspaceId, apiKey } = await createWorkspace(database, { name: "Acme" });
  const expiresAt = Date.now() + 86_400_123;
  const { authToken } = await createToken(database, { workspaceId, name: "short", expiresAt });
  expect((await find(apiKey, authToken)).token?.expiresAt).toBe(expiresAt);
  expect((await listTokens(database, workspaceId)).map((token) => token.expiresAt)).toEqual([null, expiresAt]);
});

test("a token with an expiry in the past is not created", async () => {
  const { workspaceId } = await createWorkspace(database, { name: "Acme" });
  const token = { workspaceId, name: "late", expiresAt: Date.now() - 1 };
  await expect(createToken(database, token)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
});

test("a revoked token is deleted, and every process is notified", async () => {
  const { workspaceId, apiKey, authToken } = await createWorkspace(database, { name: "Acme" });
  const [token] = await listTokens(database, workspaceId);
  const notified = nextNotification();
  await revokeToken(database, String(token?.id));
  await notified;
  expect((await find(apiKey, authToken)).token).toBeUndefined();
});

test("a change of the activity service takes effect at once, and every process is notified", async () => {
  const { workspaceId } = await createWorkspace(database, { name: "Acme" });
  const notified = nextNotification();
  await setActivityService(database, workspaceId, true);
  await notified;
  expect(await findWorkspace(database, { id: workspaceId })).toMatchObject({ activityServiceEnabled: true });
});

test("revoking or changing what does not exist is NOT_FOUND", async () => {
  for (const id of [randomUUID(), "no id"]) {
    await expect(revokeToken(database, id)).rejects.toMatchObject({ status: "NOT_FOUND" });
  }
  await expect(setActivityService(database, randomUUID(), true)).rejects.toMatchObject({ status: "NOT_FOUND" });
});

test("a workspace is chosen by id or API key, or by default if it is the only one", async () => {
  await expect(chooseWorkspace(database, undefined)).rejects.toMatchObject({ reason: "workspace_required" });
  const made = await createWorkspace(database, { name: "Acme" });
  for (const reference of [undefined, made.workspaceId, made.apiKey]) {
    expect(await chooseWorkspace(database, reference)).toMatchObject({ id: made.workspaceId });
  }
  await createWorkspace(database, { name: "Other" });
  await expect(chooseWorkspace(database, undefined)).rejects.toMatchObject({ reason: "workspace_required" });
  await expect(chooseWorkspace(database, "unknown")).rejects.toMatchObject({ status: "NOT_FOUND" });
});

test("a workspace with an invalid name or owner is rejected", async () => {
  for (const name of ["", "a\nb", "x".repeat(257)]) {
    await expect(createWorkspace(database, { name })).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  }
  const malformed = createWorkspace(database, { name: "Acme", ownerEmail: "ada" });
  await expect(malformed).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
  expect(await listWorkspaces(database)).toEqual([]);
});

test("the time when a token was last used never decreases", async () => {
  const { workspaceId } = await createWorkspace(database, { name: "Acme" });
  const [token] = await listTokens(database, workspaceId);
  const id = String(token?.id);
  await markUsed(database, "auth_tokens", [{ id, usedAt: 2_000_000_000_123 }]);
  await markUsed(database, "auth_tokens", [{ id, usedAt: 1_000_000_000_000 }]);
  expect(await listTokens(database, workspaceId)).toMatchObject([{ lastUsedAt: 2_000_000_000_123 }]);
});

test("processes that record the use of the same tokens in opposite orders do not deadlock", async () => {
  const { workspaceId } = await createWorkspace(database, { name: "Acme" });
  for (let made = 0; made < 50; made++) {
    await createToken(database, { workspaceId, name: "one of many", expiresAt: undefined });
  }
  const uses = (await listTokens(database, workspaceId)).map(({ id }, index) => ({
    id,
    usedAt: 1_700_000_000_000 + index,
  }));
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => markUsed(database, "auth_tokens", index % 2 ? uses : uses.toReversed())),
  );
  const marked = await listTokens(database, workspaceId);
  expect(new Map(marked.map((token) => [token.id, token.lastUsedAt]))).toEqual(
    new Map(uses.map((use) => [use.id, use.usedAt])),
  );
});
