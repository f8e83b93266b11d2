import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { openSyncedPage, type SyncedPage, type } from "../../../../test/sync.ts";
import { deleteUserDataAndWait } from "../../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import type { Api } from "../../../operations.ts";

const COMPARE = "/v2/crdt/versions/compare";
const LIST = "/v2/crdt/versions/list";
const RESTORE = "/v2/crdt/versions/restore";
type Changes = Api[typeof COMPARE]["response"];
const service = await startTestService();

async function workspaceWithText(data: string, userId?: string): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data, ...(userId && { userId }) });
  return workspace;
}

async function openFor(workspace: TestWorkspace, userId: string, document = new Y.Doc()): Promise<SyncedPage> {
  return openSyncedPage(service.address, { token: await tokenFor(workspace, userId), document });
}

async function typeAs(workspace: TestWorkspace, userId: string, text: string, index?: number): Promise<void> {
  const page = await openFor(workspace, userId);
  type(page, text, index);
  await page.saved();
}

function addVersion(workspace: TestWorkspace, versionId: string) {
  return workspace.data("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, name: versionId, versionId });
}

function compare(workspace: TestWorkspace, fields: Partial<Api[typeof COMPARE]["request"]> = {}): Promise<Changes> {
  return workspace.data(COMPARE, { ...COLLABORATIVE_DOCUMENT, versionId: "first", ...fields });
}

/** Returns changes as texts such as `ada+text`. */
async function compareShortly(workspace: TestWorkspace, fields: Partial<Api[typeof COMPARE]["request"]> = {}) {
  const signs = { added: "+", removed: "-", unchanged: "=" };
  return (await compare(workspace, fields)).map(({ kind, text, userId }) => `${userId}${signs[kind]}${text}`);
}

test("the last writer is the user who typed last, or the one for whom the backend writes", async () => {
  const workspace = await workspaceWithText("one");
  expect(await readContent(workspace)).toMatchObject({ lastUpdatedBy: null });
  await typeAs(workspace, "ada", " two");
  expect(await readContent(workspace)).toMatchObject({ data: "one two", lastUpdatedBy: "ada" });
  await typeAs(workspace, "grace", " three");
  expect(await workspace.data("/v2/crdt/get", { organizationId: "acme", documentId: "contract-7" })).toMatchObject([
    { lastUpdatedBy: "grace" },
  ]);
  await updateContent(workspace, { type: "text", data: "four", userId: "eve" });
  expect(await readContent(workspace)).toMatchObject({ lastUpdatedBy: "eve" });
  await updateContent(workspace, { type: "text", data: "five" });
  expect(await readContent(workspace)).toMatchObject({ lastUpdatedBy: null });
});

test("a collaborative document that the backend adds for a user has this author", async () => {
  const workspace = await workspaceWithText("one", "ada");
  expect(await readContent(workspace)).toMatchObject({ lastUpdatedBy: "ada" });
  await addVersion(workspace, "first");
  expect(await workspace.data(LIST, COLLABORATIVE_DOCUMENT)).toMatchObject([{ userIds: ["ada"] }]);
  expect(await compareShortly(workspace, { includeUnchanged: true })).toEqual(["ada=one"]);
});

test("a version has the users who wrote since the version before", async () => {
  const workspace = await workspaceWithText("one");
  await addVersion(workspace, "first");
  await typeAs(workspace, "grace", "!");
  await typeAs(workspace, "ada", "?");
  await addVersion(workspace, "second");
  await addVersion(workspace, "third");
  const versions = await workspace.data(LIST, COLLABORATIVE_DOCUMENT);
  expect(versions.map(({ userIds }) => userIds)).toEqual([[], ["ada", "grace"], []]);
  const second = await workspace.data("/v2/crdt/versions/get", { ...COLLABORATIVE_DOCUMENT, versionId: "second" });
  expect(second).toMatchObject({ id: "second", userIds: ["ada", "grace"], data: "one!?" });
});

test("a comparison says who added and removed what, in reading order", async () => {
  const workspace = await workspaceWithText("Payment is due in thirty days.");
  await addVersion(workspace, "first");
  const ada = await openFor(workspace, "ada");
  type(ada, "sixty", 18);
  ada.document.getText("content").delete(23, 6);
  await ada.saved();
  const grace = await openFor(workspace, "grace");
  type(grace, "-five", 23);
  type(grace, "drop", 0);
  grace.document.getText("content").delete(0, 4);
  await grace.saved();
  expect(await compareShortly(workspace)).toEqual(["ada-thirty", "ada+sixty", "grace+-five"]);
  const all = await compare(workspace, { includeUnchanged: true });
  const shown = (kinds: string[]) => all.flatMap(({ kind, text }) => (kinds.includes(kind) ? text : [])).join("");
  expect(shown(["unchanged", "removed"])).toBe("Payment is due in thirty days.");
  expect(shown(["unchanged", "added"])).toBe("Payment is due in sixty-five days.");
});

test("two versions compare alike in either order, and with nothing that was written later", async () => {
  const workspace = await workspaceWithText("one");
  await addVersion(workspace, "first");
  await typeAs(workspace, "ada", " two");
  await addVersion(workspace, "second");
  await typeAs(workspace, "grace", " three");
  expect(await compareShortly(workspace, { otherVersionId: "second" })).toEqual(["ada+ two"]);
  expect(await compareShortly(workspace, { versionId: "second", otherVersionId: "first" })).toEqual(["ada+ two"]);
  expect(await compareShortly(workspace)).toEqual(["ada+ two", "grace+ three"]);
  expect(await workspace.error(COMPARE, { ...COLLABORATIVE_DOCUMENT, versionId: "none" })).toMatchObject({
    status: "NOT_FOUND",
  });
});

test("nobody is the author of what another user sent first", async () => {
  const workspace = await workspaceWithText("");
  await addVersion(workspace, "first");
  const shared = new Y.Doc();
  const ada = await openFor(workspace, "ada", shared);
  type(ada, "Ada's. ");
  await ada.saved();
  ada.provider.destroy();
  // The same Yjs client goes on as another user, and sends what it has again.
  const mallory = await openFor(workspace, "mallory", shared);
  type(mallory, "Mallory's.");
  await mallory.saved();
  expect(await compareShortly(workspace)).toEqual(["ada+Ada's. ", "mallory+Mallory's."]);
});

test("a restore is the work of its user, and text that it brings back keeps its author", async () => {
  const workspace = await workspaceWithText("");
  await addVersion(workspace, "empty");
  await typeAs(workspace, "ada", "Kept.");
  await addVersion(workspace, "first");
  await updateContent(workspace, { type: "text", data: "" });
  await callWith(await tokenFor(workspace, "grace"), `${service.address}${RESTORE}`, {
    ...COLLABORATIVE_DOCUMENT,
    versionId: "first",
  });
  expect(await readContent(workspace)).toMatchObject({ data: "Kept.", lastUpdatedBy: "grace" });
  expect(await compareShortly(workspace, { versionId: "empty" })).toEqual(["ada+Kept."]);
});

test.each([
  ["text", "Pay in 30 days.", "Pay in 60 days."],
  ["xml", "<p>one</p><p>two</p>", "<p>one</p><h>2</h><p>three</p>"],
  ["array", [{ value: 1 }, { value: 2 }], [{ value: 2 }, { value: 3 }]],
  ["map", { title: "Old", days: 30 }, { title: "New", days: 60 }],
] as const)("a restore of %s leaves no difference to the version", async (type, before, after) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type, data: before, userId: "ada" });
  await addVersion(workspace, "first");
  await updateContent(workspace, { type, data: after, userId: "grace" });
  expect(await compare(workspace)).not.toEqual([]);
  await workspace.data(RESTORE, { ...COLLABORATIVE_DOCUMENT, versionId: "first" });
  expect(await compareShortly(workspace)).toEqual([]);
  expect((await compare(workspace, { includeUnchanged: true })).map(({ userId }) => userId)).not.toContain("grace");
});

test("blocks of XML end with a line break, and values of maps have their path", async () => {
  const workspace = await service.workspace();
  const page = { ...COLLABORATIVE_DOCUMENT, editorId: "page" };
  await addContent(workspace, { ...page, type: "xml", data: "<p>one</p><list><item><p>two</p></item></list>" });
  await workspace.data("/v2/crdt/versions/add", { ...page, name: "first", versionId: "first" });
  const data = "<p>one <mention/>more</p><list><item><p>two</p></item><item><p>three</p></item></list>";
  await updateContent(workspace, { ...page, type: "xml", data, userId: "ada" });
  const xml = await compareShortly(workspace, { ...page, includeUnchanged: true });
  expect(xml.filter((change) => !change.startsWith("null=")).join("")).toContain("three\n");
  expect(xml.map((change) => change.replace(/^\w+[=+]/, "")).join("")).toBe("one \uFFFCmore\ntwo\nthree\n");
  const map = { ...COLLABORATIVE_DOCUMENT, editorId: "map" };
  await addContent(workspace, { ...map, type: "map", data: { title: "Old", list: [{ done: false }] } });
  await workspace.data("/v2/crdt/versions/add", { ...map, name: "first", versionId: "first" });
  await updateContent(workspace, {
    ...map,
    type: "map",
    data: { title: "New", list: [{ done: true }] },
    userId: "ada",
  });
  expect(await compare(workspace, map)).toEqual([
    { kind: "removed", text: "false", userId: "ada", path: ["list", "done"] },
    { kind: "added", text: "true", userId: "ada", path: ["list", "done"] },
    { kind: "removed", text: '"Old"', userId: "ada", path: ["title"] },
    { kind: "added", text: '"New"', userId: "ada", path: ["title"] },
  ]);
});

test("a deleted user is not an author any more, and the text stays", async () => {
  const workspace = await workspaceWithText("");
  await addVersion(workspace, "first");
  await typeAs(workspace, "ada", "one");
  await addVersion(workspace, "second");
  await typeAs(workspace, "ada", " two");
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await readContent(workspace)).toMatchObject({ data: "one two", lastUpdatedBy: null });
  expect(await compareShortly(workspace)).toEqual(["null+one two"]);
  await typeAs(workspace, "ada", " three");
  expect(await compareShortly(workspace)).toEqual(["null+one two", "ada+ three"]);
  const versions = await workspace.data(LIST, COLLABORATIVE_DOCUMENT);
  expect(versions.map(({ userIds }) => userIds)).toEqual([[], []]);
});
