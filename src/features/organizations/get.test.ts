import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { readPages } from "../../../test/organizations.ts";

const PATH = "/v1/organizations/get";
const service = await startTestService();

function organization(id: string, disabled = false) {
  return { id, organizationName: "", disabled };
}

async function create(workspace: TestWorkspace, organizationIds: string[], disabled = false): Promise<void> {
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled });
}

test("organizations are returned by id, and unknown ids are omitted", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a", "b", "c"]);
  const organizations = await workspace.data(PATH, { organizationIds: ["c", "unknown", "a"] });
  expect(organizations).toEqual([organization("a"), organization("c")]);
});

test("a repeated id is returned once", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"]);
  expect(await workspace.data(PATH, { organizationIds: ["a", "a"] })).toEqual([organization("a")]);
});

test("only unknown ids return an empty list", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"]);
  expect(await workspace.data(PATH, { organizationIds: ["unknown"] })).toEqual([]);
});

test("a disabled organization is returned as disabled", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"], true);
  await create(workspace, ["b"]);
  expect(await workspace.data(PATH, {})).toEqual([organization("a", true), organization("b")]);
});

test("a request without ids returns all organizations, sorted by id", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["b", "ä", "B", "a"]);
  expect(await workspace.data(PATH, {})).toEqual(["B", "a", "b", "ä"].map((id) => organization(id)));
});

test.each(["/v1/organizations/get", "/v2/organizations/get"] as const)(
  "%s without ids returns the first 1,000, and a nextPageToken for the rest",
  async (path) => {
    const workspace = await service.workspace();
    const ids = Array.from({ length: 1001 }, (_, index) => `organization-${1000 + index}`);
    await create(workspace, ids.slice(0, 500));
    await create(workspace, ids.slice(500));
    const [first, second] = await readPages(workspace, path, {});
    expect(first).toEqual(ids.slice(0, 1000).map((id) => organization(id)));
    expect(second).toEqual([organization("organization-2000")]);
  },
);

test("a pageToken with other ids is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a", "b"]);
  const page = await workspace.result("/v2/organizations/get", { pageSize: 1 });
  const pageToken = "nextPageToken" in page ? page.nextPageToken : undefined;
  const error = await workspace.error("/v2/organizations/get", { organizationIds: ["a"], pageToken });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { reason: "page_token_invalid" } });
});

test.each([0, 1001])("%i ids in a call are INVALID_ARGUMENT", async (count) => {
  const organizationIds = Array.from({ length: count }, (_, index) => `organization-${index}`);
  const error = await (await service.workspace()).error(PATH, { organizationIds });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.organizationIds /),
  });
});

test("the first record creates its organization", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{}], { organizationId: "used" });
  expect(await workspace.data(PATH, { organizationIds: ["used"] })).toEqual([organization("used")]);
});

test("the organizations of another workspace are not found", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await create(theirs, ["theirs"]);
  expect(await mine.data(PATH, { organizationIds: ["theirs"] })).toEqual([]);
  expect(await mine.data(PATH, {})).toEqual([]);
});

test("search matches any part of an id or name regardless of case", async () => {
  const workspace = await service.workspace();
  const named = [
    ["acme", "Acme Corporation"],
    ["acme%", ""],
    ["Acme", "zebra"],
    ["x1", "ACME Labs\u0000\ud800"],
    ["x2", "The Acme"],
    ["x3", 'ac"\\me'],
  ].map(([organizationId = "", organizationName = ""]) => ({ organizationId, organizationName }));
  await workspace.data("/v2/organizations/add", { organizations: named });
  const found = async (search: string) => {
    const organizations = await workspace.data(PATH, { search });
    return organizations.map(({ id }) => id);
  };
  expect(await found("acme")).toEqual(["Acme", "acme", "acme%", "x1", "x2"]);
  expect(await found("CME L")).toEqual(["x1"]);
  expect(await found("acme%")).toEqual(["acme%"]);
  expect(await found("me%")).toEqual(["acme%"]);
  expect(await found('AC"\\')).toEqual(["x3"]);
  expect(await found("acme labs")).toEqual(["x1"]);
  expect(await found("_")).toEqual([]);
});

test("a search continues over pages, and finds nothing of another workspace", async () => {
  const [workspace, other] = [await service.workspace(), await service.workspace()];
  await create(workspace, ["team-1", "team-2", "team-3", "other"]);
  await create(other, ["team-4"]);
  const pages = await readPages(workspace, PATH, { search: "team", pageSize: 2 });
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([["team-1", "team-2"], ["team-3"]]);
});

test("reads at the same moment return their own organizations", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 8 }, (_, index) => `organization-${index}`);
  await create(workspace, ids);
  const reads = ids.map((id) => workspace.data("/v2/organizations/get", { organizationIds: [id], pageSize: 10 }));
  expect(await Promise.all(reads)).toEqual(ids.map((id) => [organization(id)]));
});
