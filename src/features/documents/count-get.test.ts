import { expect, test } from "vitest";
import { addFolders, inFolders } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, writeRecords } from "../../../test/organizations.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/organizations/documents/count/get";
const service = await startTestService();

function count(workspace: TestWorkspace, request: Partial<Api[typeof PATH]["request"]> = {}) {
  return workspace.data(PATH, { organizationId: "acme", ...request });
}

async function workspaceWith(...documents: object[]): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", documents);
  return workspace;
}

test("documents are counted in the organization, directly in a folder, and outside of any", async () => {
  const workspace = await workspaceWith({ documentId: "outside" });
  await addFolders(workspace, inFolders("outer", "inner outer"));
  await writeRecords(workspace, DOCUMENTS, "add", ["a", "b"], { folderId: "outer" });
  await writeRecords(workspace, DOCUMENTS, "add", ["c"], { folderId: "inner" });
  expect(await count(workspace)).toEqual({ count: 4 });
  expect(await count(workspace, { folderId: "outer" })).toEqual({ count: 2 });
  expect(await count(workspace, { folderId: "root" })).toEqual({ count: 1 });
  expect(await count(workspace, { excludeFolderDocs: true })).toEqual({ count: 1 });
  expect(await count(workspace, { folderId: "unknown" })).toEqual({ count: 0 });
  expect(await count(workspace, { organizationId: "unknown" })).toEqual({ count: 0 });
});

test("filters compare names and metadata, and combine with AND", async () => {
  const workspace = await workspaceWith(
    { documentId: "a", documentName: "Lease", status: "draft", pages: 3 },
    { documentId: "b", documentName: "Loan", status: "review", pages: 3, final: true },
    { documentId: "c", status: "done", pages: "3", deep: { status: "draft" } },
  );
  const getCount = async (...filters: Api[typeof PATH]["request"]["filters"] & object) => {
    const { count: found, filtersApplied } = await count(workspace, { filters });
    expect(filtersApplied).toBe(true);
    return found;
  };
  const isDraft = { key: "status", operator: "==", value: "draft" } as const;
  expect(await getCount(isDraft)).toBe(1);
  expect(await getCount({ key: "status", operator: "in", value: ["draft", "review", "x"] })).toBe(2);
  expect(await getCount({ key: "pages", operator: "==", value: 3 })).toBe(2);
  expect(await getCount({ key: "pages", operator: "==", value: 3 }, isDraft)).toBe(1);
  expect(await getCount({ key: "final", operator: "==", value: true })).toBe(1);
  expect(await getCount({ key: "final", operator: "==", value: null })).toBe(0);
  expect(await getCount({ key: "documentName", operator: "==", value: "" })).toBe(1);
});

test.each([
  { excludeFolderDocs: true, filters: [{ key: "a", operator: "==", value: 1 } as const] },
  { excludeFolderDocs: true, folderId: "a" },
  { filters: [{ key: "a", operator: "==", value: [1] } as const] },
  { filters: [{ key: "a", operator: "in", value: 1 } as const] },
  ...["accessType", "disabled", "documentId", "folderId", "id", "lastActivity"].map((key) => {
    return { filters: [{ key, operator: "==", value: "public" } as const] };
  }),
  { filters: Array.from({ length: 11 }, () => ({ key: "a", operator: "==", value: 1 }) as const) },
])("%j is INVALID_ARGUMENT", async (request) => {
  const workspace = await service.workspace();
  const error = await workspace.error(PATH, { organizationId: "acme", ...request });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
});

const TEXTS = ["", "\0", "\ud800", "\udc00\ud83d", "\\u0000", "\\", "\\\ud800", "__proto__", "😀", '"', "\u2028\u0001"];

test("any text can be a key and a value of the metadata", async () => {
  const workspace = await service.workspace();
  for (const key of TEXTS) {
    const documents = TEXTS.map((value, index) => ({ documentId: `${index}`, ...Object.fromEntries([[key, value]]) }));
    const organizationId = `organization ${TEXTS.indexOf(key)}`;
    await writeRecords(workspace, DOCUMENTS, "add", documents, { organizationId });
    for (const value of TEXTS) {
      const found = await count(workspace, { organizationId, filters: [{ key, operator: "==", value }] });
      expect(found, JSON.stringify([key, value])).toEqual({ count: 1, filtersApplied: true });
    }
  }
});
