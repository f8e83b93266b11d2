import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, loadYjsDocument, readContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import {
  disconnect,
  documentName,
  getRejection,
  getText,
  openSyncedPage,
  type SyncedPage,
  type,
} from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

const service = await startTestService();
const { address } = service;
const { editorId, ...DOCUMENT } = COLLABORATIVE_DOCUMENT;

async function replace(workspace: TestWorkspace, data: string): Promise<void> {
  await workspace.result("/v2/crdt/delete", { ...DOCUMENT, editorIds: [editorId] });
  await addContent(workspace, { type: "text", data });
}

/** Returns a page that has a document, is offline, and whose document is then replaced. */
async function pageOfReplaced(
  { old, write = () => {} }: { old: string; write?: (page: SyncedPage) => void },
  options = {},
) {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: old });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada", options) });
  write(page);
  if (page.provider.authorizedScope !== "readonly") await page.saved();
  await disconnect(page);
  page.reasons.length = 0;
  await replace(workspace, "NEW");
  return { workspace, page };
}

test.each([
  ["a page that only read", { old: "OLD secret" }],
  ["a page that typed", { old: "OLD secret", write: (page: SyncedPage) => type(page, " more") }],
  ["a page of a document that was added empty", { old: "", write: (page: SyncedPage) => type(page, "OLD secret") }],
])("%s does not bring content back that was deleted while it was offline, and is told", async (_, given) => {
  const { workspace, page } = await pageOfReplaced(given);
  type(page, "offline ", 0);
  void page.provider.configuration.websocketProvider.connect();
  // The document is gone for a page that is back before its process has noticed the deletion.
  expect(["document_replaced", "not_found"]).toContain(await getRejection(page));
  expect((await readContent(workspace)).data).toBe("NEW");
});

test("a page that was closed because its document was deleted does not bring it back later", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "OLD secret" });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  await replace(workspace, "NEW");
  expect(await getRejection(page)).toBe("not_found");
  page.provider.detach();
  page.provider.attach();
  await eventually(() => expect(page.reasons).toContain("document_replaced"));
  expect((await readContent(workspace)).data).toBe("NEW");
});

test("a viewer is told that the document is another one", async () => {
  const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
  const { page } = await pageOfReplaced({ old: "OLD secret" }, { resources });
  void page.provider.configuration.websocketProvider.connect();
  expect(await getRejection(page)).toBe("document_replaced");
});

test("a page goes on after its document was compacted and updated while it was offline", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "" });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  await disconnect(page);
  page.reasons.length = 0;
  type(page, "offline");
  await readContent(workspace);
  await page.provider.configuration.websocketProvider.connect();
  await page.saved();
  expect((await readContent(workspace)).data).toBe("offline");
  expect(page.reasons).toEqual([]);
});

test("a page may copy another collaborative document into its own, also with what it typed before", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "copied", editorId: "template" });
  await addContent(workspace, { type: "text", data: "" });
  const template = await loadYjsDocument(workspace, { editorId: "template" });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  Y.applyUpdate(page.document, Y.encodeStateAsUpdate(template));
  await page.saved();
  await disconnect(page);
  page.reasons.length = 0;
  type(page, " offline");
  await page.provider.configuration.websocketProvider.connect();
  await page.saved();
  expect(page.reasons).toEqual([]);
  expect((await readContent(workspace)).data).toBe("copied offline");
});

test("the identity of a document shows in none of its shared values", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada"), name: documentName() });
  expect(getText(page)).toBe("one");
  expect(JSON.stringify(page.document)).toBe('{"content":"one"}');
});
