import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/workspace/documents/figures/get";
const service = await startTestService();

type Request = Api[typeof PATH]["request"];

async function readPlaces(workspace: TestWorkspace, request: Request = {}): Promise<string[]> {
  const { documents } = await workspace.data(PATH, request);
  return documents.map(({ organizationId, id }) => `${organizationId}/${id}`);
}

/** Creates four documents of two organizations, of which `plan` is in both. */
async function createDocuments(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const add = (organizationId: string, documents: { documentId: string; documentName?: string }[]) =>
    workspace.data("/v2/organizations/documents/add", { organizationId, documents });
  await add("globex", [{ documentId: "plan", documentName: "Zeta\0" }, { documentId: "contract" }]);
  await add("acme", [{ documentId: "plan" }, { documentId: "annex", documentName: "Contract 7" }]);
  return workspace;
}

test("each document has the statistics that its organization returns", async () => {
  const workspace = await createDocuments();
  const annotation = { commentData: [{ commentText: "Done", from: { userId: "ada" } }] };
  await workspace.data("/v2/commentannotations/add", {
    ...{ organizationId: "acme", documentId: "plan", commentAnnotations: [annotation] },
  });
  await workspace.data("/v2/users/add", { organizationId: "acme", documentId: "annex", users: [{ userId: "ada" }] });
  const inFolder = { organizationId: "globex", folderId: "sales", documents: [{ documentId: "offer" }] };
  await workspace.data("/v2/organizations/documents/add", inFolder);
  const all = await workspace.data(PATH, {});
  expect(all.totalCount).toBe(5);
  for (const organizationId of ["acme", "globex"]) {
    const ofOne = await workspace.data("/v2/organizations/documents/figures/get", { organizationId });
    const expected = ofOne.documents.map((document) => ({ organizationId, ...document }));
    expect(all.documents.filter((document) => document.organizationId === organizationId)).toEqual(expected);
  }
});

test.each([
  ["organization", "asc", ["acme/annex", "acme/plan", "globex/contract", "globex/plan"]],
  ["organization", "desc", ["globex/plan", "globex/contract", "acme/plan", "acme/annex"]],
  ["id", "asc", ["acme/annex", "globex/contract", "acme/plan", "globex/plan"]],
  ["id", "desc", ["globex/plan", "acme/plan", "globex/contract", "acme/annex"]],
] as const)("by %s, %s, pages of any size hold each document once, in order", async (orderBy, order, places) => {
  const workspace = await createDocuments();
  for (const pageSize of [1, 2, 4]) {
    const paged: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await workspace.result(PATH, { orderBy, order, pageSize, ...(pageToken && { pageToken }) });
      expect(page.data.totalCount).toBe(4);
      paged.push(...page.data.documents.map(({ organizationId, id }) => `${organizationId}/${id}`));
      pageToken = page.pageToken;
    } while (pageToken !== undefined);
    expect(paged).toEqual(places);
  }
});

test("documents are found by a part of name and ID, and by their state", async () => {
  const workspace = await createDocuments();
  expect(await readPlaces(workspace, { search: "contract" })).toEqual(["acme/annex", "globex/contract"]);
  const disabled = { organizationId: "globex", documentIds: ["contract"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disabled);
  expect(await readPlaces(workspace, { disabled: true })).toEqual(["globex/contract"]);
  expect(await readPlaces(workspace, { disabled: false, search: "contract" })).toEqual(["acme/annex"]);
  expect(await workspace.data(PATH, { disabled: true, search: "plan" })).toEqual({ documents: [], totalCount: 0 });
});

test("documents of disabled or deleted organizations, and of other workspaces, are omitted", async () => {
  const workspace = await createDocuments();
  const organizationIds = ["acme"];
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  expect(await workspace.data(PATH, { orderBy: "id" })).toMatchObject({
    documents: [{ id: "contract" }, { organizationId: "globex", id: "plan" }],
    totalCount: 2,
  });
  await workspace.data("/v2/organizations/delete", { organizationIds: ["globex"] });
  expect(await workspace.data(PATH, {})).toEqual({ documents: [], totalCount: 0 });
  expect(await (await service.workspace()).data(PATH, {})).toEqual({ documents: [], totalCount: 0 });
});
