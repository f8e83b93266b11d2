import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import type { Database } from "../../database/database.ts";
import { listTokens } from "./auth-tokens/auth-token-queries.ts";
import { bootstrapWorkspace } from "./bootstrap.ts";
import { hashCredential } from "./credentials.ts";
import { findCaller, listWorkspaces } from "./workspace-queries.ts";
import { setActivityService } from "./workspaces.ts";

const { database } = await createTestDatabase();
const bootstrap = { apiKey: "bootstrap-key", authToken: "bootstrap-token-1" };
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colloquy-bootstrap-"));
  await runSql(database, "truncate workspaces cascade");
});

afterEach(() => rm(dataDir, { recursive: true }));

function findByCredentials({ apiKey, authToken }: { apiKey: string; authToken: string }) {
  return findCaller(database, { apiKeyHash: hashCredential(apiKey), authTokenHash: hashCredential(authToken) });
}

async function readFileCredentials(): Promise<unknown> {
  return JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
}

/** Returns a database whose process is killed instead of committing. */
function killedBeforeCommit(survivor: Database): Database {
  return {
    ...survivor,
    transaction: (work) =>
      survivor.transaction(async (transaction) => {
        await work(transaction);
        throw new Error("killed");
      }),
  };
}

test("the first start creates a workspace with valid credentials and the activity service on", async () => {
  const made = await bootstrapWorkspace(database, { dataDir });
  if (!made) throw new Error("no workspace was created");
  const { workspace, token } = await findByCredentials(made);
  expect(made.created).toBe(true);
  expect(workspace).toMatchObject({ apiKey: made.apiKey, activityServiceEnabled: true });
  expect(token).toMatchObject({ workspaceId: workspace?.id, expiresAt: undefined });
  expect(await listWorkspaces(database)).toMatchObject([{ name: "default", ownerEmail: null }]);
});

test("generated credentials are stored in credentials.json, which only its owner can read", async () => {
  const made = await bootstrapWorkspace(database, { dataDir });
  expect(await readFileCredentials()).toEqual({ apiKey: made?.apiKey, authToken: made?.authToken });
  expect((await stat(join(dataDir, "credentials.json"))).mode & 0o777).toBe(0o600);
});

test("ten servers that start concurrently on an empty database create one workspace", async () => {
  const results = await Promise.all(Array.from({ length: 10 }, () => bootstrapWorkspace(database, { dataDir })));
  expect(results.filter((result) => result !== undefined)).toHaveLength(1);
  expect(await listWorkspaces(database)).toHaveLength(1);
});

test("a start that is killed before its commit leaves credentials that the next start uses", async () => {
  await expect(bootstrapWorkspace(killedBeforeCommit(database), { dataDir })).rejects.toThrow("killed");
  const kept = await readFileCredentials();
  expect(await listWorkspaces(database)).toEqual([]);
  expect(await bootstrapWorkspace(database, { dataDir })).toEqual({ ...Object(kept), created: true });
});

test("a credentials.json without credentials does not prevent a first start", async () => {
  await writeFile(join(dataDir, "credentials.json"), '{"apiKey": "ha');
  const made = await bootstrapWorkspace(database, { dataDir });
  expect(await readFileCredentials()).toEqual({ apiKey: made?.apiKey, authToken: made?.authToken });
});

test("a later start without BOOTSTRAP_ variables changes nothing", async () => {
  await bootstrapWorkspace(database, { bootstrap, dataDir });
  expect(await bootstrapWorkspace(database, { dataDir })).toBeUndefined();
  expect(await listWorkspaces(database)).toHaveLength(1);
  await expect(readFileCredentials()).rejects.toMatchObject({ code: "ENOENT" });
});

test("a later start with the same BOOTSTRAP_ variables adds nothing and keeps later changes", async () => {
  await bootstrapWorkspace(database, { bootstrap: { ...bootstrap, ownerEmail: "ada@acme.example" }, dataDir });
  const { workspace } = await findByCredentials(bootstrap);
  await setActivityService(database, String(workspace?.id), false);
  expect(await bootstrapWorkspace(database, { bootstrap, dataDir })).toEqual({ ...bootstrap, created: false });
  expect(await listWorkspaces(database)).toMatchObject([
    { ownerEmail: "ada@acme.example", activityServiceEnabled: false },
  ]);
  expect(await listTokens(database, String(workspace?.id))).toHaveLength(1);
});

test("a changed BOOTSTRAP_AUTH_TOKEN is added, and the previous one stays valid", async () => {
  await bootstrapWorkspace(database, { bootstrap, dataDir });
  const changed = { ...bootstrap, authToken: "bootstrap-token-2" };
  await bootstrapWorkspace(database, { bootstrap: changed, dataDir });
  const [before, after] = [await findByCredentials(bootstrap), await findByCredentials(changed)];
  expect(after.token?.workspaceId).toBe(after.workspace?.id);
  expect(before.token?.workspaceId).toBe(after.workspace?.id);
});

test("a changed BOOTSTRAP_OWNER_EMAIL replaces the previous one", async () => {
  await bootstrapWorkspace(database, { bootstrap: { ...bootstrap, ownerEmail: "ada@acme.example" }, dataDir });
  await bootstrapWorkspace(database, { bootstrap: { ...bootstrap, ownerEmail: "bob@acme.example" }, dataDir });
  expect(await listWorkspaces(database)).toMatchObject([{ ownerEmail: "bob@acme.example" }]);
});

test("a BOOTSTRAP_AUTH_TOKEN of another workspace stops the start, and no workspace is created", async () => {
  await bootstrapWorkspace(database, { bootstrap, dataDir });
  const mixed = { ...bootstrap, apiKey: "another-key" };
  await expect(bootstrapWorkspace(database, { bootstrap: mixed, dataDir })).rejects.toThrow("BOOTSTRAP_AUTH_TOKEN");
  expect(await listWorkspaces(database)).toHaveLength(1);
});
