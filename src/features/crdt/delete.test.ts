import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT, readContents } from "../../../test/crdt.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const DELETE = "/v2/crdt/delete";
const service = await startTestService();

async function addContents(workspace: TestWorkspace, ids: string[], documentId = SCOPE.documentId): Promise<void> {
  for (const editorId of ids) await addContent(workspace, { documentId, editorId, type: "text", data: editorId });
}

async function editorIds(workspace: TestWorkspace, documentId = SCOPE.documentId): Promise<string[]> {
  return (await readContents(workspace, { documentId })).map(({ id }) => id);
}

test("only the collaborative documents named are deleted, repeatedly and if they do not exist", async () => {
  const workspace = await service.workspace();
  await addContents(workspace, ["a", "b", "c"]);
  for (const ids of [["a", "c", "missing"], ["a"]]) {
    expect(await workspace.data(DELETE, { ...SCOPE, editorIds: ids })).toEqual({});
  }
  expect(await editorIds(workspace)).toEqual(["b"]);
});

test("without IDs all collaborative documents of the document are deleted, and no others", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  for (const each of [workspace, other]) await addContents(each, ["a", "b"]);
  await addContents(workspace, ["a"], "another");
  expect(await workspace.data(DELETE, SCOPE)).toEqual({});
  expect(await editorIds(workspace)).toEqual([]);
  expect(await editorIds(workspace, "another")).toEqual(["a"]);
  expect(await editorIds(other)).toEqual(["a", "b"]);
});

test("a deleted collaborative document can be created again, and is not updated meanwhile", async () => {
  const workspace = await service.workspace();
  await addContents(workspace, [COLLABORATIVE_DOCUMENT.editorId]);
  await workspace.data(DELETE, SCOPE);
  const content = { type: "map" as const, data: { fresh: true } };
  expect(await workspace.error("/v2/crdt/update", { ...COLLABORATIVE_DOCUMENT, ...content })).toMatchObject({
    status: "NOT_FOUND",
  });
  await addContent(workspace, content);
  expect(await readContents(workspace)).toMatchObject([content]);
});

test("concurrent deletions in different orders all succeed", async () => {
  const workspace = await service.workspace();
  const ids = ["a", "b", "c", "d"];
  await addContents(workspace, ids);
  const calls = Array.from({ length: 12 }, (_, index) =>
    workspace.data(DELETE, { ...SCOPE, editorIds: index % 2 ? ids : ids.toReversed() }),
  );
  expect(await Promise.all(calls)).toEqual(calls.map(() => ({})));
  expect(await editorIds(workspace)).toEqual([]);
});

test("is rejected in a disabled organization", async () => {
  const workspace = await service.workspace();
  await addContents(workspace, ["a"]);
  const setDisabled = (disabled: boolean) =>
    workspace.data("/v2/organizations/access/disablestate/update", {
      organizationIds: [SCOPE.organizationId],
      disabled,
    });
  await setDisabled(true);
  expect(await workspace.error(DELETE, SCOPE)).toMatchObject({ details: { reason: "organization_disabled" } });
  await setDisabled(false);
  expect(await editorIds(workspace)).toEqual(["a"]);
});
