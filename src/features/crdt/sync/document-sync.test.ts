import { expect, onTestFinished, test, vi } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { startMigration, untilMigrated } from "../../../../test/document-migrations.ts";
import { getEvents } from "../../../../test/events.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService, startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { grant } from "../../../../test/permissions.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { documentName, getRejection, getText, openPage, openSyncedPage, type } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { newId } from "../../../database/new-id.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { selectDocument } from "../stored/crdt-update-queries.ts";

const service = await startTestService();
const { address } = service;

async function workspaceWithText(data = "one"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data });
  return workspace;
}

test("what a page types reaches other pages and crdt/get", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(getText(ada)).toBe("one");
  type(ada, " two", 3);
  await ada.saved();
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
  await eventually(() => expect(getText(grace)).toBe("one two"));
});

test("a page that opens a collaborative document later has what others typed", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  type(ada, " two", 3);
  await ada.saved();
  ada.provider.destroy();
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(getText(grace)).toBe("one two");
});

test("what a page typed while it was offline is saved when it connects", async () => {
  const workspace = await workspaceWithText();
  const document = new Y.Doc();
  document.getText("content").insert(0, "offline ");
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada"), document });
  await ada.saved();
  expect((await readContent(workspace)).data).toContain("offline ");
});

test("crdt/update reaches open pages", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  await updateContent(workspace, { type: "text", data: "one three" });
  await eventually(() => expect(getText(ada)).toBe("one three"));
});

test("two processes with the same document open converge", async () => {
  const workspace = await workspaceWithText();
  const other = await service.secondProcess();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const grace = await openSyncedPage(other.address, { token: await tokenFor(workspace, "grace") });
  type(ada, " two", 3);
  type(grace, "zero ", 0);
  for (const page of [ada, grace]) await eventually(() => expect(getText(page)).toBe("zero one two"));
  await updateContent(workspace, { type: "text", data: "zero one two three" });
  for (const page of [ada, grace]) await eventually(() => expect(getText(page)).toBe("zero one two three"));
});

test("cursors reach pages of other processes, also those that open later, and go with their page", async () => {
  const workspace = await workspaceWithText();
  const other = await service.secondProcess();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  ada.provider.setAwarenessField("user", { color: "red" });
  await ada.saved();
  const grace = await openSyncedPage(other.address, { token: await tokenFor(workspace, "grace") });
  const colorsSeen = () =>
    [...(grace.provider.awareness?.getStates().values() ?? [])].map((state) => state.user?.color);
  await eventually(() => expect(colorsSeen()).toContain("red"));
  // Equal parts of consecutive updates are different notifications.
  const long = "blue ".repeat(300);
  for (const shade of ["dark", "light"]) ada.provider.setAwarenessField("user", { shade, color: long });
  await eventually(() => expect(colorsSeen()).toContain(long));
  ada.provider.destroy();
  await eventually(() => expect(colorsSeen()).not.toContain(long));
});

test.each(["viewer", "commenter"] as const)("a %s sees what others type and cannot write", async (accessRole) => {
  const workspace = await workspaceWithText();
  const resources = [{ type: "organization" as const, id: "acme", accessRole }];
  await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  const viewer = await openSyncedPage(address, { token: await tokenFor(workspace, "grace", { resources }) });
  const editor = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  expect(viewer.provider.authorizedScope).toBe("readonly");
  type(viewer, "not ", 0);
  type(editor, " two", 3);
  await editor.saved();
  await eventually(() => expect(getText(viewer)).toContain(" two"));
  expect(viewer.provider.hasUnsyncedChanges).toBe(true);
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
});

test("workspaces with the same names have collaborative documents of their own", async () => {
  const [first, second] = [await workspaceWithText("first"), await workspaceWithText("second")];
  const ada = await openSyncedPage(address, { token: await tokenFor(first, "ada") });
  const grace = await openSyncedPage(address, { token: await tokenFor(second, "ada") });
  type(ada, "my ", 0);
  await ada.saved();
  expect(getText(grace)).toBe("second");
  expect(await readContent(second)).toMatchObject({ data: "second" });
});

test("a page whose user becomes a viewer, and an editor again, learns it and sends what was rejected", async () => {
  const workspace = await workspaceWithText("one");
  const resources = [{ type: "document" as const, id: "other", organizationId: "acme" }];
  await grant(workspace, "ada", "organization", "editor");
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada", { resources }) });
  await grant(workspace, "ada", "organization", "viewer");
  await expect.poll(() => ada.provider.authorizedScope).toBe("readonly");
  type(ada, " two");
  await grant(workspace, "ada", "organization", "editor");
  await expect.poll(() => ada.provider.authorizedScope).toBe("read-write");
  type(ada, " three");
  await ada.saved();
  expect(await readContent(workspace)).toMatchObject({ data: "one two three" });
});

test.each([
  ["a collaborative document that does not exist", { ...COLLABORATIVE_DOCUMENT, editorId: "missing" }, "not_found"],
  ["a document that the user may not read", { ...COLLABORATIVE_DOCUMENT, documentId: "secret" }, "access_denied"],
  ["an organization that does not exist", { ...COLLABORATIVE_DOCUMENT, organizationId: "missing" }, "access_denied"],
])("%s is rejected", async (_, ref, reason) => {
  const workspace = await workspaceWithText();
  await addContent(workspace, { documentId: "secret", type: "text", data: "secret" });
  await workspace.uncheckedResult("/v2/organizations/documents/access/update", {
    organizationId: "acme",
    documentIds: ["secret"],
    accessType: "restricted",
  });
  const resources = [{ type: "document" as const, id: COLLABORATIVE_DOCUMENT.documentId, organizationId: "acme" }];
  const token = await tokenFor(workspace, "ada", { resources });
  expect(await getRejection(openPage(address, { token, name: documentName(ref) }))).toBe(reason);
});

test("a token that the service has not signed is rejected", async () => {
  await workspaceWithText();
  expect(await getRejection(openPage(address, { token: "a.b.c" }))).toBe("user_token_invalid");
});

test("a page of a domain that is not allowed is rejected", async () => {
  const workspace = await workspaceWithText();
  const token = await tokenFor(workspace, "ada");
  const origin = "https://pages.example.com";
  expect(await getRejection(openPage(address, { token, origin }))).toBe("origin_not_allowed");
  await workspace.result("/v2/workspace/domains/add", { domains: ["pages.example.com"] });
  const page = await openSyncedPage(address, { token, origin });
  expect(getText(page)).toBe("one");
});

test("revoking the tokens of a user closes their documents on every process, and those of nobody else", async () => {
  const workspace = await workspaceWithText();
  const other = await service.secondProcess();
  const token = await tokenFor(workspace, "ada");
  const here = await openSyncedPage(address, { token });
  const there = await openSyncedPage(other.address, { token });
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  await workspace.result("/v2/auth/tokens/revoke", { userIds: ["ada"] });
  expect(await getRejection(here)).toBe("user_token_revoked");
  expect(await getRejection(there)).toBe("user_token_revoked");
  type(grace, " two", 3);
  await grace.saved();
  expect(grace.reasons).toEqual([]);
});

test.each([
  ["organization", "/v2/organizations/access/disablestate/update", { organizationIds: ["acme"] }],
  [
    "document",
    "/v2/organizations/documents/access/disablestate/update",
    { organizationId: "acme", documentIds: [COLLABORATIVE_DOCUMENT.documentId] },
  ],
])("disabling the %s closes its documents, and nothing is written after it", async (kind, path, access) => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const idle = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  await workspace.uncheckedResult(path, { ...access, disabled: true });
  type(ada, "not ", 0);
  expect(await getRejection(ada)).toBe(`${kind}_disabled`);
  expect(await getRejection(idle)).toBe(`${kind}_disabled`);
  await workspace.uncheckedResult(path, { ...access, disabled: false });
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
});

test("moving a document closes its collaborative documents, and nothing is written to it after that", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const migrationId = await startMigration(workspace, COLLABORATIVE_DOCUMENT.documentId, "contract-8");
  type(ada, "not ", 0);
  await untilMigrated(workspace, migrationId);
  await eventually(() => expect(ada.reasons.at(-1)).toBe("not_found"));
  expect(ada.reasons).not.toContain("access_denied");
  expect(await readContent(workspace, { documentId: "contract-8" })).toMatchObject({ data: "one" });
});

test("deleting the organization closes its documents, with the reason, while a user types", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const deleted = workspace.uncheckedResult("/v2/organizations/delete", { organizationIds: ["acme"] });
  const typing = setInterval(() => type(ada, "a"), 1);
  onTestFinished(() => clearInterval(typing));
  await deleted;
  expect(await getRejection(ada)).toBe("organization_being_deleted");
});

test("removing the user's permission closes the document", async () => {
  const workspace = await workspaceWithText();
  await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  const resources = [{ type: "document" as const, id: COLLABORATIVE_DOCUMENT.documentId, organizationId: "acme" }];
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada", { resources }) });
  await workspace.uncheckedResult("/v2/auth/permissions/remove", {
    userId: "ada",
    permissions: { resources: [{ type: "document", id: COLLABORATIVE_DOCUMENT.documentId, organizationId: "acme" }] },
  });
  expect(await getRejection(ada)).toBe("access_denied");
});

test("the log of an open document is compacted once it has more than 100 updates", async () => {
  const workspace = await workspaceWithText("");
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const text = "x".repeat(150);
  for (const [index, character] of [...text].entries()) type(ada, character, index);
  await ada.saved();
  const scope = openOrganization(service.database, { id: workspace.id }, COLLABORATIVE_DOCUMENT.organizationId);
  await eventually(async () => {
    const { stored } = await selectDocument(scope, COLLABORATIVE_DOCUMENT);
    expect(stored?.updateIds.length).toBeLessThanOrEqual(100);
  });
  expect(await readContent(workspace)).toMatchObject({ data: text });
  type(ada, "still here ", 0);
  await ada.saved();
  expect(await readContent(workspace)).toMatchObject({ data: `still here ${text}` });
});

test("a stop closes the sockets and keeps what was saved", async () => {
  const first = await startOwnTestService();
  const workspace = await first.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  const second = await first.secondProcess();
  const ada = await openSyncedPage(second.address, { token: await tokenFor(workspace, "ada") });
  type(ada, " two", 3);
  await ada.saved();
  await second.stop();
  await eventually(() => expect(ada.provider.synced).toBe(false));
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
});

test("deleting a document closes it at once in pages of a process that never polls, and is an event", async () => {
  const own = await startOwnTestService();
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const second = await own.secondProcess().finally(() => vi.useRealTimers());
  const workspace = await own.workspace();
  const { cursor } = await getEvents(workspace);
  await addContent(workspace, { type: "text", data: "one" });
  const ada = await openSyncedPage(second.address, { token: await tokenFor(workspace, "ada") });
  await workspace.result("/v2/crdt/delete", { organizationId: "acme", documentId: COLLABORATIVE_DOCUMENT.documentId });
  expect(await getRejection(ada)).toBe("not_found");
  const { events } = await getEvents(workspace, { cursor, kinds: ["crdt.delete"] });
  expect(events).toMatchObject([
    { documentId: COLLABORATIVE_DOCUMENT.documentId, subject: { editorId: COLLABORATIVE_DOCUMENT.editorId } },
  ]);
});

test("a page gets an update whose notification was lost", async () => {
  const workspace = await workspaceWithText();
  const key = organizationKey(workspace.id, COLLABORATIVE_DOCUMENT.organizationId);
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const typed = new Y.Doc();
  typed.getText("content").insert(0, "two ");
  // A process that dies after the commit tells nobody.
  await runSql(
    service.database,
    `insert into crdt_updates (organization_key, document_id, editor_id, id, client_id, yjs_update)
     select organization_key, document_id, editor_id, $2, client_id, $3
     from crdt_documents where organization_key = $1`,
    [key, newId(), Buffer.from(Y.encodeStateAsUpdate(typed))],
  );
  await eventually(() => expect(getText(ada)).toContain("two "));
});
