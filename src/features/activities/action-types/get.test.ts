import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";

const PATH = "/v2/activities/actiontypes/get";
const DISABLE_DOCUMENTS = "/v2/organizations/documents/access/disablestate/update";
const SCOPE = { organizationId: "acme" };
const service = await startTestService();

async function workspaceWithTypes(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const types = ["deal.close", "comment.add", "deal.open", "comment.add", "Deal", "deal"];
  await addActivities(
    workspace,
    types.map((actionType, index) => ({ id: `${index}`, actionType })),
    SCOPE,
  );
  await addActivities(workspace, [{ id: "other", actionType: "other" }], { organizationId: "globex" });
  return workspace;
}

test("each action type of the organization is returned once, in order, up to the limit", async () => {
  const workspace = await workspaceWithTypes();
  const all = ["Deal", "comment.add", "deal", "deal.close", "deal.open"];
  expect(await workspace.data(PATH, SCOPE)).toEqual(all);
  expect(await workspace.data(PATH, { ...SCOPE, limit: 2 })).toEqual(all.slice(0, 2));
  expect(await workspace.data(PATH, { organizationId: "none" })).toEqual([]);
});

test("a search returns the action types that start with it", async () => {
  const workspace = await workspaceWithTypes();
  expect(await workspace.data(PATH, { ...SCOPE, search: "deal" })).toEqual(["deal", "deal.close", "deal.open"]);
  expect(await workspace.data(PATH, { ...SCOPE, search: "deal.", limit: 1 })).toEqual(["deal.close"]);
  expect(await workspace.data(PATH, { ...SCOPE, search: "%" })).toEqual([]);
});

test("action types that only activities of disabled documents have are not returned", async () => {
  const workspace = await workspaceWithTypes();
  const documentId = "disabled";
  const hidden = ["Archive", "comment.add", "deal.lose"].map((actionType) => ({ id: actionType, actionType }));
  await addActivities(workspace, hidden, { ...SCOPE, documentId });
  const all = await workspace.data(PATH, SCOPE);
  await workspace.data(DISABLE_DOCUMENTS, { ...SCOPE, documentIds: [documentId], disabled: true });
  expect(await workspace.data(PATH, SCOPE)).toEqual(all.filter((type) => !["Archive", "deal.lose"].includes(type)));
});

test("the action types of other workspaces and of a disabled organization are not returned", async () => {
  const workspace = await workspaceWithTypes();
  expect(await (await service.workspace()).data(PATH, SCOPE)).toEqual([]);
  const organizationIds = ["acme"];
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  expect(await workspace.error(PATH, SCOPE)).toMatchObject({ status: "PERMISSION_DENIED" });
});
