import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/organizations/documents/figures/get";
const service = await startTestService();

type Request = Omit<Api[typeof PATH]["request"], "organizationId">;

async function readIds(workspace: TestWorkspace, request: Request): Promise<string[]> {
  const { documents } = await workspace.data(PATH, { organizationId: "acme", ...request });
  return documents.map(({ id }) => id);
}

/** Creates three documents whose orders all differ: `b` and `c` in the folder `sales`. */
async function createDocuments(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const add = (documents: { documentId: string; documentName?: string }[], folderId?: string) =>
    workspace.data("/v2/organizations/documents/add", {
      organizationId: "acme",
      documents,
      ...(folderId && { folderId }),
    });
  await add([{ documentId: "c", documentName: "Annex" }], "sales");
  await add([{ documentId: "a" }]);
  await add([{ documentId: "b", documentName: "zeta\0" }], "sales");
  const annotation = { commentData: [{ commentText: "Done", from: { userId: "ada" } }] };
  await workspace.data("/v2/commentannotations/add", {
    ...{ organizationId: "acme", documentId: "b", commentAnnotations: [annotation, annotation] },
  });
  for (const [documentId, userIds] of [
    ["a", ["ada", "grace"]],
    ["c", ["ada"]],
  ] as const) {
    const users = userIds.map((userId) => ({ userId }));
    await workspace.data("/v2/users/add", { organizationId: "acme", documentId, users });
  }
  // A time in the future, since the documents were created now.
  const timestamp = Date.now() + 60_000;
  await addActivities(workspace, [{ id: "1", timestamp }], { organizationId: "acme", documentId: "a" });
  return workspace;
}

test("documents are returned with their statistics, and without a record by their ID", async () => {
  const workspace = await createDocuments();
  await workspace.data("/v2/organizations/documents/access/disablestate/update", {
    ...{ organizationId: "acme", documentIds: ["c"], disabled: true },
  });
  const createdAt = expect.any(Number);
  const [empty, used] = [null, expect.any(Number)].map((lastActivity) => ({ createdAt, lastActivity }));
  expect(await workspace.data(PATH, { organizationId: "acme" })).toEqual({
    documents: [
      { id: "a", documentName: "", disabled: false, annotations: 0, users: 2, contentBytes: 0, ...used },
      {
        id: "b",
        documentName: "zeta\0",
        folderId: "sales",
        disabled: false,
        annotations: 2,
        users: 0,
        contentBytes: 0,
        ...used,
      },
      {
        id: "c",
        documentName: "Annex",
        folderId: "sales",
        disabled: true,
        annotations: 0,
        users: 1,
        contentBytes: 0,
        ...empty,
      },
    ],
    totalCount: 3,
  });
});

test("the size of a document is that of its content, its updates and its versions", async () => {
  const workspace = await createDocuments();
  const [editor, data] = [{ organizationId: "acme", documentId: "a", editorId: "notes" }, "a".repeat(50)];
  const readSize = async () => (await workspace.data(PATH, { organizationId: "acme" })).documents[0]?.contentBytes ?? 0;
  await workspace.result("/v2/crdt/add", { ...editor, type: "text", data });
  const first = await readSize();
  expect(first).toBeGreaterThan(data.length);
  await workspace.data("/v2/crdt/versions/add", { ...editor, name: "Signed" });
  const second = await readSize();
  expect(second).toBeGreaterThan(first + data.length);
  await runSql(
    service.database,
    `insert into crdt_updates (organization_key, document_id, editor_id, id, client_id, yjs_update)
      select organization_key, document_id, editor_id, gen_random_uuid(), client_id, decode(repeat('00', 100), 'hex')
      from crdt_documents where organization_key = (
        select organization_key from organizations where workspace_id = $1 and organization_id = 'acme')`,
    [workspace.id],
  );
  expect(await readSize()).toBeGreaterThan(second + 100);
});

test("the times are those of the documents, and one without records has no last activity", async () => {
  const workspace = await createDocuments();
  const { documents } = await workspace.data(PATH, { organizationId: "acme" });
  const known = await workspace.data("/v2/organizations/documents/get", { organizationId: "acme" });
  const newest = documents.map(({ lastActivity, createdAt }) => lastActivity ?? createdAt);
  expect(newest).toEqual(known.map(({ lastActivity }) => lastActivity));
  const created = documents.map(({ createdAt }) => createdAt);
  expect(Math.min(...created)).toBeGreaterThan(Date.now() - 60_000);
  expect(Math.max(...created)).toBeLessThanOrEqual(Date.now());
});

test.each([
  ["id", "desc", ["c", "b", "a"]],
  ["name", "asc", ["a", "c", "b"]],
  ["createdAt", "asc", ["c", "a", "b"]],
  ["annotations", "desc", ["b", "c", "a"]],
  ["users", "desc", ["a", "c", "b"]],
  ["lastActivity", "desc", ["a", "b", "c"]],
] as const)("by %s, %s, pages hold each document once, in order", async (orderBy, order, ids) => {
  const workspace = await createDocuments();
  expect(await readIds(workspace, { orderBy, order })).toEqual(ids);
  const paged: string[] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: "acme", orderBy, order, pageSize: 1 };
    const page = await workspace.result(PATH, { ...request, ...(pageToken && { pageToken }) });
    expect(page.data.totalCount).toBe(3);
    paged.push(...page.data.documents.map(({ id }) => id));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(paged).toEqual(ids);
});

test("filters select documents by ID, folder, state, and a part of ID or name", async () => {
  const workspace = await createDocuments();
  await workspace.data("/v2/organizations/documents/access/disablestate/update", {
    ...{ organizationId: "acme", documentIds: ["c"], disabled: true },
  });
  expect(await readIds(workspace, { folderId: "sales" })).toEqual(["b", "c"]);
  expect(await readIds(workspace, { folderId: "root" })).toEqual(["a"]);
  expect(await readIds(workspace, { documentIds: ["c", "A", "a"] })).toEqual(["a", "c"]);
  expect(await readIds(workspace, { documentIds: ["a", "c"], folderId: "sales" })).toEqual(["c"]);
  expect(await readIds(workspace, { search: "ANN" })).toEqual(["c"]);
  expect(await readIds(workspace, { search: "nex" })).toEqual(["c"]);
  expect(await readIds(workspace, { search: "A" })).toEqual(["a", "b", "c"]);
  expect(await readIds(workspace, { disabled: false, folderId: "sales" })).toEqual(["b"]);
  expect(await workspace.data(PATH, { organizationId: "acme", disabled: true, search: "none" })).toEqual({
    documents: [],
    totalCount: 0,
  });
});

test("documents of a disabled organization, or of another workspace, are not returned", async () => {
  const workspace = await createDocuments();
  const other = await service.workspace();
  expect(await other.data(PATH, { organizationId: "acme" })).toEqual({ documents: [], totalCount: 0 });
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["acme"], disabled: true });
  expect(await workspace.error(PATH, { organizationId: "acme" })).toMatchObject({ status: "PERMISSION_DENIED" });
});
