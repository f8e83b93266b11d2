import { expect, test } from "vitest";
import { addActivities } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/workspace/organizations/get";
const service = await startTestService();

type Request = Api[typeof PATH]["request"];

async function readIds(workspace: TestWorkspace, request: Request): Promise<string[]> {
  return (await workspace.data(PATH, request)).organizations.map(({ id }) => id);
}

/** Creates three organizations whose orders all differ. */
async function createOrganizations(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data("/v2/organizations/add", {
    organizations: [{ organizationId: "c", organizationName: "Acme" }, { organizationId: "a" }],
  });
  await workspace.data("/v2/organizations/add", {
    organizations: [{ organizationId: "b", organizationName: "zeta\0" }],
  });
  await workspace.data("/v2/users/add", { organizationId: "a", users: [{ userId: "ada" }, { userId: "grace" }] });
  await workspace.data("/v2/users/add", { organizationId: "b", users: [{ userId: "ada" }] });
  await addActivities(workspace, [{ id: "1", timestamp: 2_000 }], { organizationId: "a", documentId: "one" });
  await addActivities(workspace, [{ id: "1", timestamp: 3_000 }], { organizationId: "c", documentId: "one" });
  await addActivities(workspace, [{ id: "2", timestamp: 1_000 }], { organizationId: "c", documentId: "two" });
  return workspace;
}

test("each organization has its name, state, age and statistics", async () => {
  const workspace = await createOrganizations();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["b"], disabled: true });
  const createdAt = expect.any(Number);
  expect(await workspace.data(PATH, {})).toEqual({
    organizations: [
      { id: "a", organizationName: "", disabled: false, createdAt, users: 2, documents: 1, lastActivityAt: 2_000 },
      { id: "b", organizationName: "zeta\0", disabled: true, createdAt, users: 1, documents: 0, lastActivityAt: null },
      { id: "c", organizationName: "Acme", disabled: false, createdAt, users: 0, documents: 2, lastActivityAt: 3_000 },
    ],
    totalCount: 3,
  });
});

test.each([
  ["id", "asc", ["a", "b", "c"]],
  ["id", "desc", ["c", "b", "a"]],
  ["name", "asc", ["a", "c", "b"]],
  ["users", "desc", ["a", "b", "c"]],
  ["documents", "asc", ["b", "a", "c"]],
  ["lastActivityAt", "desc", ["c", "a", "b"]],
] as const)("by %s, %s, pages hold each organization once, in order", async (orderBy, order, ids) => {
  const workspace = await createOrganizations();
  expect(await readIds(workspace, { orderBy, order })).toEqual(ids);
  const paged: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(PATH, { orderBy, order, pageSize: 1, ...(pageToken && { pageToken }) });
    expect(page.data.totalCount).toBe(3);
    paged.push(...page.data.organizations.map(({ id }) => id));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(paged).toEqual(ids);
});

test("the last activity of an organization, its documents and their author is that of the newest write", async () => {
  const workspace = await service.workspace();
  const scope = { organizationId: "acme", documentId: "contract-7" };
  const readTimes = async () => {
    const [organization] = (await workspace.data(PATH, {})).organizations;
    const { documents } = await workspace.data("/v2/organizations/documents/figures/get", { organizationId: "acme" });
    const { users } = await workspace.data("/v2/users/figures/get", { organizationId: "acme" });
    return [organization?.lastActivityAt, documents[0]?.lastActivity, users[0]?.lastActivityAt];
  };
  await workspace.data("/v2/organizations/documents/add", {
    organizationId: "acme",
    documents: [{ documentId: "contract-7" }],
  });
  await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada" }] });
  expect(await readTimes()).toEqual([null, null, null]);
  await addActivities(workspace, [{ id: "1", timestamp: 2_000, actionUser: { userId: "ada" } }], scope);
  expect(await readTimes()).toEqual([2_000, 2_000, 2_000]);
  const commentData = [{ commentText: "Thirty days?", from: { userId: "ada" }, createdAt: 9_000, lastUpdated: 9_000 }];
  await workspace.data("/v2/commentannotations/add", { ...scope, commentAnnotations: [{ commentData }] });
  const [annotated, ...others] = await readTimes();
  expect(annotated).toBeGreaterThan(2_000);
  expect(others[0]).toBe(annotated);
  expect(others[1]).toBeGreaterThan(2_000);
  await workspace.data("/v2/notifications/add", {
    ...{ ...scope, actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }], timestamp: Date.now() },
    ...{ displayHeadlineMessageTemplate: "Sign it", displayBodyMessage: "By Friday" },
  });
  const [notified, inDocument] = await readTimes();
  expect(notified).toBeGreaterThanOrEqual(Number(annotated));
  expect(inDocument).toBe(notified);
});

test("organizations are found by a part of name or ID and by their state, without those being deleted", async () => {
  const workspace = await createOrganizations();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["b"], disabled: true });
  expect(await readIds(workspace, { search: "ACM" })).toEqual(["c"]);
  expect(await readIds(workspace, { search: "CM" })).toEqual(["c"]);
  expect(await readIds(workspace, { search: "a" })).toEqual(["a", "b", "c"]);
  expect(await readIds(workspace, { disabled: true })).toEqual(["b"]);
  expect(await readIds(workspace, { disabled: false })).toEqual(["a", "c"]);
  await workspace.data("/v2/organizations/delete", { organizationIds: ["a"] });
  expect(await workspace.data(PATH, { search: "ac" })).toMatchObject({ organizations: [{ id: "c" }], totalCount: 1 });
  expect(await workspace.data(PATH, { disabled: true, search: "none" })).toEqual({ organizations: [], totalCount: 0 });
});

test("the organizations of other workspaces are not returned", async () => {
  await createOrganizations();
  const other = await service.workspace();
  expect(await other.data(PATH, {})).toEqual({ organizations: [], totalCount: 0 });
});
