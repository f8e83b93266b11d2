import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const PATH = "/v1/organizations/get";
const service = await startTestService();

function organization(id: string, disabled = false) {
  return { id, organizationName: "", disabled };
}

async function create(workspace: TestWorkspace, organizationIds: string[], disabled = false): Promise<void> {
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled });
}

test("organizations are read by id, and unknown ids are left out", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a", "b", "c"]);
  const organizations = await workspace.data(PATH, { organizationIds: ["c", "unknown", "a"] });
  expect(organizations).toEqual([organization("a"), organization("c")]);
});

test("an id that is named twice is answered once", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"]);
  expect(await workspace.data(PATH, { organizationIds: ["a", "a"] })).toEqual([organization("a")]);
});

test("only unknown ids are an empty list", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"]);
  expect(await workspace.data(PATH, { organizationIds: ["unknown"] })).toEqual([]);
});

test("a disabled organization says so", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["a"], true);
  await create(workspace, ["b"]);
  expect(await workspace.data(PATH, {})).toEqual([organization("a", true), organization("b")]);
});

test("without ids all are returned, by id", async () => {
  const workspace = await service.workspace();
  await create(workspace, ["b", "ä", "B", "a"]);
  expect(await workspace.data(PATH, {})).toEqual(["B", "a", "b", "ä"].map((id) => organization(id)));
});

test("without ids the first 1,000 are returned", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 1001 }, (_, index) => `organization-${1000 + index}`);
  await create(workspace, ids.slice(0, 500));
  await create(workspace, ids.slice(500));
  const organizations = await workspace.data(PATH, {});
  expect(organizations).toEqual(ids.slice(0, 1000).map((id) => organization(id)));
});

test.each([0, 1001])("%i ids in a call are INVALID_ARGUMENT", async (count) => {
  const organizationIds = Array.from({ length: count }, (_, index) => `organization-${index}`);
  const error = await (await service.workspace()).error(PATH, { organizationIds });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.organizationIds /),
  });
});

test("an organization comes to exist with its first record", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{}], { organizationId: "used" });
  expect(await workspace.data(PATH, { organizationIds: ["used"] })).toEqual([organization("used")]);
});

test("the organizations of another workspace are unknown ids", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await create(theirs, ["theirs"]);
  expect(await mine.data(PATH, { organizationIds: ["theirs"] })).toEqual([]);
  expect(await mine.data(PATH, {})).toEqual([]);
});
