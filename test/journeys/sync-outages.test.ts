import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, readContent } from "../crdt.ts";
import { startServiceBehindProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { size } from "../sizes.ts";
import { documentName, getRejection, getText, openPage, openSyncedPage, type } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";

const service = await startTestService();
const DOCUMENTS = size({ usual: 20, long: 100 });

async function workspaceWithText(data: string): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data });
  return workspace;
}

test("what two pages typed while they were offline is merged, also with what others typed meanwhile", async () => {
  const workspace = await workspaceWithText("one two three");
  const open = async (userId: string) => openSyncedPage(service.address, { token: await tokenFor(workspace, userId) });
  const [ada, grace, linus] = [await open("ada"), await open("grace"), await open("linus")];
  for (const { provider } of [ada, grace]) provider.configuration.websocketProvider.disconnect();
  await eventually(() => expect([ada, grace].some(({ provider }) => provider.synced)).toBe(false));
  for (let index = 0; index < 200; index++) {
    type(ada, "a", 0);
    type(grace, "g");
  }
  ada.document.getText("content").delete(getText(ada).indexOf("two "), "two ".length);
  linus.document.getText("content").insert(4, "and ");
  await linus.saved();
  // Reading compacts the log into the state, so the pages meet a state that has none of the updates that they know.
  expect(await readContent(workspace)).toMatchObject({ data: "one and two three" });
  for (const { provider } of [ada, grace]) await provider.configuration.websocketProvider.connect();
  const merged = `${"a".repeat(200)}one and three${"g".repeat(200)}`;
  for (const page of [ada, grace, linus]) await eventually(() => expect(getText(page)).toBe(merged));
  for (const page of [ada, grace]) await page.saved();
  expect(await readContent(workspace)).toMatchObject({ data: merged });
});

test("open documents survive a loss of the database, with what was typed meanwhile", async () => {
  const { service: own, proxy } = await startServiceBehindProxy();
  const workspace = await own.workspace();
  const editorIds = Array.from({ length: DOCUMENTS }, (_, index) => `clause-${index}`);
  for (const editorId of editorIds) await addContent(workspace, { editorId, type: "text", data: "" });
  const token = await tokenFor(workspace, "ada");
  const open = (editorId: string) =>
    openSyncedPage(own.address, { token, name: documentName({ ...COLLABORATIVE_DOCUMENT, editorId }) });
  const pages = await Promise.all(editorIds.map(open));
  const typeEverywhere = (text: string) => {
    for (const page of pages) type(page, text);
  };
  typeEverywhere("before ");
  for (const page of pages) await page.saved();
  proxy.cut();
  typeEverywhere("meanwhile ");
  proxy.restore();
  await eventually(async () => expect((await fetch(`${own.address}/readyz`)).status).toBe(200));
  typeEverywhere("after");
  for (const page of pages) await page.saved();
  for (const editorId of editorIds) {
    expect(await readContent(workspace, { editorId })).toMatchObject({ data: "before meanwhile after" });
  }
});

test("a page that types while its token is revoked gets the reason, and nothing typed later is saved", async () => {
  const workspace = await workspaceWithText("");
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const other = await openSyncedPage(service.address, { token: await tokenFor(workspace, "grace") });
  let typed = 0;
  const typing = setInterval(() => type(page, String(typed++ % 10), 0), 5);
  try {
    await eventually(() => expect(getText(other).length).toBeGreaterThan(5));
    await workspace.data("/v2/auth/tokens/revoke", { userIds: ["ada"] });
    await getRejection(page);
    const typedBefore = typed;
    await eventually(() => expect(typed).toBeGreaterThan(typedBefore + 20));
    const saved = await eventually(async () => {
      const { data } = await readContent(workspace);
      expect(getText(other)).toBe(data);
      return getText(other);
    });
    expect(saved.length).toBeLessThanOrEqual(typedBefore);
  } finally {
    clearInterval(typing);
  }
  const again = openPage(service.address, { token: await tokenFor(workspace, "ada") });
  await eventually(() => expect(again.provider.synced).toBe(true));
});
