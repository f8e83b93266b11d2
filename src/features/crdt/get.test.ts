import { expect, test } from "vitest";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  type CrdtRecord,
  loadYjsDocument,
  readContents,
  updateContent,
} from "../../../test/crdt.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { setRecordBytes } from "../../../test/record-bytes.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/crdt/get";
const service = await startTestService();

async function addTexts(workspace: TestWorkspace, texts: Record<string, string>): Promise<void> {
  await Promise.all(
    Object.entries(texts).map(([editorId, data]) => addContent(workspace, { editorId, type: "text", data })),
  );
}

async function readPages(
  workspace: TestWorkspace,
  filters: Partial<Api[typeof PATH]["request"]>,
): Promise<CrdtRecord[][]> {
  const pages: CrdtRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(PATH, { ...SCOPE, ...filters, pageToken });
    pages.push(page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

function getIds(records: CrdtRecord[]): string[] {
  return records.map(({ id }) => id);
}

test("an unknown organization, document or editorId returns an empty list", async () => {
  const workspace = await service.workspace();
  expect(await readContents(workspace)).toEqual([]);
  expect(await readContents(workspace, { editorId: "clause-3" })).toEqual([]);
  await addTexts(workspace, { "clause-3": "x" });
  expect(await readContents(workspace, { editorId: "clause-4" })).toEqual([]);
  expect(await readContents(workspace, { documentId: "other" })).toEqual([]);
});

test("all collaborative documents are returned by ID, or only the one with the given editorId", async () => {
  const workspace = await service.workspace();
  await addTexts(workspace, { b: "2", a: "1", ä: "4", B: "0", __proto__x: "3" });
  await addContent(workspace, { documentId: "other", editorId: "c", type: "text", data: "x" });
  expect(getIds(await readContents(workspace))).toEqual(["B", "__proto__x", "a", "b", "ä"]);
  expect(await readContents(workspace, { editorId: "b" })).toMatchObject([{ id: "b", data: "2" }]);
});

test("the collaborative documents of another workspace are indistinguishable from missing ones", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addTexts(theirs, { "clause-3": "theirs" });
  expect(await readContents(mine, { editorId: "clause-3" })).toEqual([]);
  expect(await readContents(mine)).toEqual([]);
});

test("the state is only returned on request, for each collaborative document", async () => {
  const workspace = await service.workspace();
  await addTexts(workspace, { a: "first", b: "second" });
  for (const filters of [{}, { includeState: false }, { editorId: "a" }]) {
    for (const record of await readContents(workspace, filters)) expect(record).not.toHaveProperty("state");
  }
  const records = await readContents(workspace, { includeState: true });
  expect(records).toMatchObject([{ state: expect.any(String) }, { state: expect.any(String) }]);
  expect((await loadYjsDocument(workspace, { editorId: "b" })).getText("content").toString()).toBe("second");
});

test("the state of a large document is Base64 in one line", async () => {
  const workspace = await service.workspace();
  const data = "0123456789".repeat(10_000);
  await addTexts(workspace, { large: data });
  const [record] = await readContents(workspace, { includeState: true });
  expect(record?.state).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect((await loadYjsDocument(workspace, { editorId: "large" })).getText("content").toString()).toBe(data);
});

test.each([true, false])("pages return each collaborative document once, with its state: %s", async (includeState) => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 25 }, (_, number) => `editor-${10 + number}`);
  await addTexts(workspace, Object.fromEntries(ids.map((id) => [id, `text of ${id}`])));
  const pages = await readPages(workspace, { pageSize: 10, includeState });
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
  expect(getIds(pages.flat())).toEqual(ids);
});

test("collaborative documents that are added and changed between pages do not affect the others", async () => {
  const workspace = await service.workspace();
  await addTexts(workspace, { b: "1", d: "2", f: "3", h: "4" });
  const first = await workspace.result(PATH, { ...SCOPE, pageSize: 2 });
  await addTexts(workspace, { a: "before", e: "after" });
  await updateContent(workspace, { editorId: "b", type: "text", data: "changed" });
  const rest = await workspace.result(PATH, { ...SCOPE, pageSize: 1000, pageToken: first.pageToken });
  expect([...getIds(first.data), ...getIds(rest.data)]).toEqual(["b", "d", "e", "f", "h"]);
});

test("a page ends with the record that passes 8 MiB, and the size includes the state if it is sent", async () => {
  const workspace = await service.workspace();
  const ids = ["a", "b", "c", "d", "e"];
  await addTexts(workspace, Object.fromEntries(ids.map((id) => [id, `text of ${id}`])));
  await setRecordBytes(service.database, workspace, "crdt_documents", 4 * 1024 * 1024 - 10);
  for (const { includeState, sizes } of [
    { includeState: false, sizes: [3, 2] },
    { includeState: true, sizes: [2, 2, 1] },
  ]) {
    const pages = await readPages(workspace, { includeState });
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(getIds(pages.flat())).toEqual(ids);
  }
});

test.each([0, 1001])("the pageSize %i is INVALID_ARGUMENT", async (pageSize) => {
  const error = await (await service.workspace()).error(PATH, { ...COLLABORATIVE_DOCUMENT, pageSize });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.pageSize must be/),
  });
});

test("a pageToken of another document is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  await addTexts(workspace, { a: "1", b: "2" });
  const { pageToken } = await workspace.result(PATH, { ...SCOPE, pageSize: 1 });
  const error = await workspace.error(PATH, { ...SCOPE, documentId: "other", pageSize: 1, pageToken });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});
