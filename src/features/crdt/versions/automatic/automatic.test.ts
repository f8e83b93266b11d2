import { expect, test } from "vitest";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  loadYjsDocument,
  readContent,
  updateContent,
} from "../../../../../test/crdt.ts";
import { eventReader, getEvents } from "../../../../../test/events.ts";
import { silentLog, startOwnTestService, type TestWorkspace } from "../../../../../test/harness.ts";
import { runSql } from "../../../../../test/run-sql.ts";
import { openSyncedPage, type SyncedPage, type } from "../../../../../test/sync.ts";
import { tokenFor } from "../../../../../test/user-tokens.ts";
import { deleteExpiredRows } from "../../../../database/expiry.ts";
import type { Api } from "../../../../operations.ts";
import { organizationKey } from "../../../tenancy/organization-key.ts";
import { storedOrganization } from "../../../tenancy/organization-scope.ts";
import { limitPrevious } from "./automatic-version-queries.ts";
import { deleteExpiredAutomaticVersions } from "./expiry.ts";
import { addDueVersion, VersionTimer } from "./version-timer.ts";

const LIST = "/v2/crdt/versions/list";
type Version = Api[typeof LIST]["response"][number];
const HOUR_MS = 60 * 60 * 1000;
const service = await startOwnTestService();
const { database } = service;

const keyOf = (workspace: TestWorkspace) => organizationKey(workspace.id, "acme");

async function workspaceWithText(data = "one"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data });
  return workspace;
}

async function openFor(workspace: TestWorkspace, userId = "ada"): Promise<SyncedPage> {
  return openSyncedPage(service.address, { token: await tokenFor(workspace, userId) });
}

async function typeAs(workspace: TestWorkspace, userId: string, text: string): Promise<void> {
  const page = await openFor(workspace, userId);
  type(page, text);
  await page.saved();
}

function listVersions(workspace: TestWorkspace, kind?: Version["kind"]): Promise<Version[]> {
  return workspace.data(LIST, { ...COLLABORATIVE_DOCUMENT, ...(kind && { kind }) });
}

/** Returns the contents of the automatic versions, newest first. */
async function readContents(workspace: TestWorkspace): Promise<unknown[]> {
  const versions = await listVersions(workspace, "automatic");
  const read = ({ id: versionId }: Version) =>
    workspace.data("/v2/crdt/versions/get", { ...COLLABORATIVE_DOCUMENT, versionId });
  return (await Promise.all(versions.map(read))).map(({ data }) => data);
}

/** Makes the mark of the edited document older. */
async function age(workspace: TestWorkspace, { sinceMs = 0, changedMs = 0 }): Promise<void> {
  const statement =
    "update crdt_edits set since = since - $2, changed_at = changed_at - $3 where organization_key = $1";
  await runSql(database, statement, [keyOf(workspace), sinceMs, changedMs]);
}

function readMarks(workspace: TestWorkspace): Promise<{ is_left: boolean }[]> {
  return runSql(database, "select is_left from crdt_edits where organization_key = $1", [keyOf(workspace)]);
}

function addDue(workspace: TestWorkspace): Promise<void> {
  return addDueVersion(database, { ...COLLABORATIVE_DOCUMENT, organizationKey: keyOf(workspace) });
}

test("a document has a version from before it was edited, and one after 30 minutes of editing", async () => {
  const workspace = await workspaceWithText();
  const page = await openFor(workspace);
  type(page, " two");
  await page.saved();
  expect(await readContents(workspace)).toEqual(["one"]);
  await addDue(workspace);
  expect(await readContents(workspace)).toEqual(["one"]);
  await age(workspace, { sinceMs: HOUR_MS / 2 });
  await addDue(workspace);
  expect(await readContents(workspace)).toEqual(["one two", "one"]);
  expect(await listVersions(workspace)).toMatchObject([
    { kind: "automatic", name: null, userIds: ["ada"] },
    { kind: "automatic", name: null, userIds: [] },
  ]);
  type(page, " three");
  await page.saved();
  await age(workspace, { sinceMs: HOUR_MS / 2 });
  await addDue(workspace);
  expect(await readContents(workspace)).toEqual(["one two three", "one two", "one"]);
});

test("an automatic version is an event, and one that is there already is none", async () => {
  const workspace = await workspaceWithText();
  const { cursor } = await getEvents(workspace);
  const reader = eventReader(workspace, cursor);
  const read = async () => (await reader()).filter(([event]: string[]) => event === "crdt.versions_update");
  const { editorId } = COLLABORATIVE_DOCUMENT;
  await typeAs(workspace, "ada", " two");
  expect(await read()).toEqual([["crdt.versions_update", { editorId }]]);
  await age(workspace, { sinceMs: HOUR_MS });
  await addDue(workspace);
  expect(await read()).toEqual([["crdt.versions_update", { editorId }]]);
  await age(workspace, { changedMs: HOUR_MS });
  await addDue(workspace);
  expect(await readMarks(workspace)).toEqual([]);
  expect(await read()).toEqual([]);
});

test("five minutes without a change end the editing, also for what a backend writes", async () => {
  const workspace = await workspaceWithText();
  await updateContent(workspace, { type: "text", data: "two" });
  await age(workspace, { changedMs: HOUR_MS / 12 });
  await addDue(workspace);
  expect(await readContents(workspace)).toEqual(["two", "one"]);
  expect(await readMarks(workspace)).toEqual([]);
});

test("several processes add one version, also of what a killed one has stored", async () => {
  const workspace = await workspaceWithText();
  await typeAs(workspace, "ada", " two");
  await age(workspace, { sinceMs: HOUR_MS });
  const timers = Array.from({ length: 3 }, () => new VersionTimer({ database, log: silentLog, pollMs: 10 }));
  await expect.poll(() => readContents(workspace)).toEqual(["one two", "one"]);
  await age(workspace, { changedMs: HOUR_MS });
  await expect.poll(() => readMarks(workspace)).toEqual([]);
  await Promise.all(timers.map((timer) => timer.stop()));
  expect(await readContents(workspace)).toEqual(["one two", "one"]);
});

test("a document whose last editor has left is due, and one that changes again is not", async () => {
  const workspace = await workspaceWithText();
  const page = await openFor(workspace);
  type(page, " two");
  await page.saved();
  page.provider.configuration.websocketProvider.destroy();
  // A change of access unloads documents without connections at once instead of after 30 s.
  await expect
    .poll(async () => {
      await workspace.result("/v2/auth/permissions/add", {
        user: { userId: "grace" },
        permissions: { resources: [{ type: "organization", id: "acme" }] },
      });
      return readMarks(workspace);
    })
    .toEqual([{ is_left: true }]);
  await addDue(workspace);
  expect(await readContents(workspace)).toEqual(["one two", "one"]);
  await typeAs(workspace, "ada", " three");
  expect(await readMarks(workspace)).toEqual([{ is_left: false }]);
});

test("versions are kept hourly for a day, and daily for the days of the workspace", async () => {
  const workspace = await workspaceWithText();
  await workspace.result("/v2/workspace/apikeyconfig/update", { automaticVersionDays: 7 });
  await typeAs(workspace, "ada", "!");
  const columns = "organization_key, document_id, editor_id, client_id, state, record";
  const noon = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS;
  for (const [index, hours] of [24, 24.5, 27, 48].entries()) {
    await runSql(
      database,
      `insert into crdt_versions (${columns}, id, created_at, expires_at)
       select ${columns}, $2, $3, $3::bigint + 7 * 24 * 3600000 from crdt_versions where organization_key = $1 limit 1`,
      [keyOf(workspace), `version-${index}`, noon + hours * HOUR_MS],
    );
    await database.transaction((transaction) =>
      limitPrevious(storedOrganization(transaction, keyOf(workspace)), COLLABORATIVE_DOCUMENT),
    );
  }
  const kept = await runSql<{ hours: number }>(
    database,
    `select (expires_at - created_at) / 3600000 as hours from crdt_versions where organization_key = $1
     order by created_at`,
    [keyOf(workspace)],
  );
  expect(kept.map(({ hours }) => Number(hours))).toEqual([7 * 24, 1, 24, 7 * 24, 7 * 24]);
  const createdLongAgo = "update crdt_versions set expires_at = 1 where id = 'version-2' and organization_key = $1";
  await runSql(database, createdLongAgo, [keyOf(workspace)]);
  await deleteExpiredRows(deleteExpiredAutomaticVersions(database));
  const ids = (await listVersions(workspace)).map(({ id }) => id);
  expect(ids).toHaveLength(4);
  expect(ids).not.toContain("version-2");
});

test("automatic versions take no room of named ones, and the oldest make room for the newest", async () => {
  const workspace = await workspaceWithText();
  await typeAs(workspace, "ada", " two");
  await runSql(
    database,
    `insert into crdt_versions (organization_key, document_id, editor_id, id, client_id, state, record, created_at,
       expires_at)
     select organization_key, document_id, editor_id, 'copy ' || number, client_id, state, record,
       created_at - number * 1000, expires_at
     from crdt_versions cross join generate_series(1, 99) as number where organization_key = $1`,
    [keyOf(workspace)],
  );
  await workspace.data("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, name: "Mine", versionId: "mine" });
  await typeAs(workspace, "ada", " three");
  await age(workspace, { sinceMs: HOUR_MS });
  await addDue(workspace);
  const versions = await listVersions(workspace);
  expect(versions.filter(({ kind }) => kind === "named")).toMatchObject([{ id: "mine" }]);
  expect(versions.filter(({ kind }) => kind === "automatic")).toHaveLength(100);
  expect(versions.map(({ id }) => id)).not.toContain("copy 99");
  expect((await readContents(workspace))[0]).toBe("one two three");
});

test("restoring a version can be undone by restoring the one that it has stored", async () => {
  const workspace = await workspaceWithText();
  const { id } = await workspace.data("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, name: "First" });
  const page = await openFor(workspace);
  type(page, " two");
  await page.saved();
  const restored = await workspace.data("/v2/crdt/versions/restore", { ...COLLABORATIVE_DOCUMENT, versionId: id });
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
  const [replaced] = await listVersions(workspace);
  expect(restored).toEqual({ replacedVersionId: replaced?.id });
  expect(replaced).toMatchObject({ kind: "automatic", userIds: ["ada"] });
  await workspace.result("/v2/crdt/versions/restore", { ...COLLABORATIVE_DOCUMENT, versionId: replaced?.id ?? "" });
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
  await expect.poll(() => page.document.getText("content").toString()).toBe("one two");
  expect((await loadYjsDocument(workspace)).getText("content").toString()).toBe("one two");
});

test("naming an automatic version keeps it", async () => {
  const workspace = await workspaceWithText();
  await typeAs(workspace, "ada", " two");
  const [version] = await listVersions(workspace);
  const named = { ...COLLABORATIVE_DOCUMENT, versionId: version?.id ?? "", name: "Before Ada" };
  await workspace.result("/v2/crdt/versions/update", named);
  await runSql(database, "update crdt_versions set created_at = 1 where organization_key = $1", [keyOf(workspace)]);
  await deleteExpiredRows(deleteExpiredAutomaticVersions(database));
  expect(await listVersions(workspace)).toMatchObject([{ id: version?.id, kind: "named", name: "Before Ada" }]);
  expect(
    await workspace.error("/v2/crdt/versions/update", { ...COLLABORATIVE_DOCUMENT, versionId: "none", name: "None" }),
  ).toMatchObject({ status: "NOT_FOUND" });
});

test("a workspace can have no automatic versions, except of what a restore replaces", async () => {
  const workspace = await workspaceWithText();
  await workspace.result("/v2/workspace/apikeyconfig/update", { automaticVersionMinutes: 0 });
  await typeAs(workspace, "ada", " two");
  await updateContent(workspace, { type: "text", data: "three" });
  expect(await readMarks(workspace)).toEqual([]);
  expect(await listVersions(workspace)).toEqual([]);
  await workspace.data("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, name: "Third", versionId: "third" });
  await updateContent(workspace, { type: "text", data: "four" });
  await workspace.result("/v2/crdt/versions/restore", { ...COLLABORATIVE_DOCUMENT, versionId: "third" });
  expect(await readContents(workspace)).toEqual(["four"]);
});

test("a document without content gets no version", async () => {
  const workspace = await workspaceWithText("");
  await typeAs(workspace, "ada", "one");
  expect(await listVersions(workspace)).toEqual([]);
});
