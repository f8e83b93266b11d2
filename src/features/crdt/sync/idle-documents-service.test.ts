import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, updateContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { getText, openSyncedPage, type } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

/** Starts a service with a document that a page has just left. Returns what reads the documents in its memory. */
async function serviceWithIdleDocument() {
  const own = await startOwnTestService();
  const workspace = await own.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  const counts = async () => (await (await fetch(`${own.address}/metrics`)).text()).match(/^colloquy_sync.*$/gm);
  const getCounts = (sockets: number, documents: number) => [
    `colloquy_sync{kind="sockets"} ${sockets}`,
    `colloquy_sync{kind="documents"} ${documents}`,
  ];
  const expectCounts = (sockets: number, documents: number) =>
    eventually(async () => expect(await counts()).toEqual(getCounts(sockets, documents)));
  const token = await tokenFor(workspace, "ada");
  // A change of access that is reported late, such as that of the token, unloads the document at once.
  await eventually(async () => {
    const ada = await openSyncedPage(own.address, { token });
    type(ada, " two", 3);
    await ada.saved();
    ada.provider.configuration.websocketProvider.destroy();
    await eventually(async () => expect((await counts())?.[0]).toBe(getCounts(0, 1)[0]));
    expect(await counts()).toEqual(getCounts(0, 1));
  });
  return { address: own.address, workspace, expectCounts };
}

test("a document that nobody has open stays in memory with what others write meanwhile", async () => {
  const { address: own, workspace, expectCounts } = await serviceWithIdleDocument();
  await updateContent(workspace, { type: "text", data: "one two three" });
  const grace = await openSyncedPage(own, { token: await tokenFor(workspace, "grace") });
  await eventually(() => expect(getText(grace)).toBe("one two three"));
  await expectCounts(1, 1);
});

test.each<[string, (workspace: TestWorkspace) => Promise<unknown>]>([
  [
    "its organization is disabled",
    (workspace) =>
      workspace.uncheckedResult("/v2/organizations/access/disablestate/update", {
        organizationIds: ["acme"],
        disabled: true,
      }),
  ],
  [
    "it is deleted",
    (workspace) =>
      workspace.result("/v2/crdt/delete", { organizationId: "acme", documentId: COLLABORATIVE_DOCUMENT.documentId }),
  ],
])("a document that nobody has open leaves memory when %s", async (_, change) => {
  const { workspace, expectCounts } = await serviceWithIdleDocument();
  const startedAt = performance.now();
  await change(workspace);
  await expectCounts(0, 0);
  // It would otherwise leave 30 s after its last page.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
