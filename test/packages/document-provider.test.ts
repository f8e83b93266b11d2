import { expect, test } from "vitest";
import { DocumentProvider } from "../../packages/react/src/document-provider.ts";
import { addContent, readContent } from "../crdt.ts";
import { eventually } from "../eventually.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { disconnect, getKinds, openPage, openSyncedPage, type SyncedPage, type } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();

async function workspaceWithText(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "" });
  return workspace;
}

/** Returns a source of tokens, each of which is given only when the test says so. */
function delayTokens(token: string): { token(): Promise<string>; give: (() => void)[] } {
  const give: (() => void)[] = [];
  return { give, token: () => new Promise((resolve) => give.push(() => resolve(token))) };
}

async function expectSaved(page: SyncedPage, workspace: TestWorkspace, text: string): Promise<void> {
  await page.saved();
  expect(await readContent(workspace)).toMatchObject({ data: text });
}

test("changes made offline are sent by the synchronization alone", async () => {
  const workspace = await workspaceWithText();
  const token = await tokenFor(workspace, "ada");
  const page = await openSyncedPage(service.address, { token, Provider: DocumentProvider });
  await page.saved();
  const { length } = page.sent;
  await disconnect(page);
  for (const character of "abc") type(page, character);
  await page.provider.configuration.websocketProvider.connect();
  await expectSaved(page, workspace, "abc");
  expect(getKinds(page.sent.slice(length))).toEqual(["token", "step 1", "step 2"]);
});

test("a page may type while its token is fetched", async () => {
  const workspace = await workspaceWithText();
  const { token, give } = delayTokens(await tokenFor(workspace, "ada"));
  const page = openPage(service.address, { token, Provider: DocumentProvider });
  await eventually(() => expect(give).toHaveLength(1));
  for (const character of "abc") type(page, character);
  give[0]?.();
  await expectSaved(page, workspace, "abc");
  expect(getKinds(page.sent)).toEqual(["token", "step 1", "step 2"]);
  expect(page.reasons).toEqual([]);
});

test("a token that arrives after its socket has closed starts no second synchronization", async () => {
  const workspace = await workspaceWithText();
  const { token, give } = delayTokens(await tokenFor(workspace, "ada"));
  const page = openPage(service.address, { token, Provider: DocumentProvider });
  await eventually(() => expect(give).toHaveLength(1));
  page.provider.configuration.websocketProvider.webSocket?.close();
  await eventually(() => expect(give).toHaveLength(2));
  for (const resolve of give) resolve();
  type(page, "abc");
  await expectSaved(page, workspace, "abc");
  expect(getKinds(page.sent).filter((kind) => kind !== "token")).toEqual(["step 1", "step 2"]);
});

test("a closed document that is opened again on its socket sends its changes once", async () => {
  const workspace = await workspaceWithText();
  const token = await tokenFor(workspace, "ada");
  const page = await openSyncedPage(service.address, { token, Provider: DocumentProvider });
  await page.saved();
  const access = { organizationId: "acme", documentIds: ["contract-7"] };
  const disable = (disabled: boolean) =>
    workspace.uncheckedResult("/v2/organizations/documents/access/disablestate/update", { ...access, disabled });
  await disable(true);
  await eventually(() => expect(page.reasons).toEqual(["document_disabled"]));
  for (const character of "abc") type(page, character);
  await disable(false);
  const { length } = page.sent;
  page.provider.detach();
  page.provider.attach();
  await expectSaved(page, workspace, "abc");
  expect(getKinds(page.sent.slice(length))).toEqual(["token", "step 1", "step 2"]);
});

test("the cursor of a page is visible to others again once it has reconnected", async () => {
  const workspace = await workspaceWithText();
  const open = async (userId: string) =>
    openSyncedPage(service.address, { token: await tokenFor(workspace, userId), Provider: DocumentProvider });
  const [ada, grace] = [await open("ada"), await open("grace")];
  ada.provider.setAwarenessField("cursor", 7);
  const cursors = () => [...(grace.provider.awareness?.getStates().values() ?? [])].map(({ cursor }) => cursor);
  await eventually(() => expect(cursors()).toContain(7));
  await disconnect(ada);
  await eventually(() => expect(cursors()).not.toContain(7));
  await ada.provider.configuration.websocketProvider.connect();
  // The state is repeated only after 15 s.
  await expect.poll(cursors, { timeout: 8_000 }).toContain(7);
});
