import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { setConfig } from "../../../../test/notifications.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/notifications/config/get";
const organizationId = "acme";
const service = await startTestService();

function get(workspace: TestWorkspace, request: Partial<Api[typeof PATH]["request"]>) {
  return workspace.data(PATH, { organizationId, userId: "grace", ...request });
}

function record(workspace: TestWorkspace, documentId: string | undefined, config: object) {
  const metadata = { organizationId, apiKey: workspace.apiKey, userId: "grace", ...(documentId && { documentId }) };
  return { config, metadata };
}

test("without a preference both channels are ALL, in a record for each requested document", async () => {
  const workspace = await service.workspace();
  const documentIds = ["b", "a", "__proto__", 'quote "', "b"];
  const expected = documentIds.map((documentId) => record(workspace, documentId, { inbox: "ALL", email: "ALL" }));
  expect(await get(workspace, { documentIds })).toEqual(expected);
});

test("each channel is the document's, else the organization's, else ALL", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE", slack: "MINE" });
  await setConfig(workspace, ["grace"], { inbox: "MINE", email: "NONE" }, ["d1"]);
  await setConfig(workspace, ["grace"], { slack: "ALL" }, ["d2"]);
  await setConfig(workspace, ["bob"], { inbox: "ALL", email: "MINE" }, ["d1", "d2", "d3"]);
  expect(await get(workspace, { documentIds: ["d1", "d2", "d3"] })).toEqual([
    record(workspace, "d1", { inbox: "MINE", email: "NONE", slack: "MINE" }),
    record(workspace, "d2", { inbox: "NONE", email: "ALL", slack: "ALL" }),
    record(workspace, "d3", { inbox: "NONE", email: "ALL", slack: "MINE" }),
  ]);
});

test.each([{}, { documentIds: [] }, { documentIds: ["d1"] }])(
  "getOrganizationConfig with %j returns only the organization's preferences, without documentId",
  async (request) => {
    const workspace = await service.workspace();
    await setConfig(workspace, ["grace"], { inbox: "NONE" }, ["d1"]);
    const organizationConfig = () => get(workspace, { getOrganizationConfig: true, ...request });
    expect(await organizationConfig()).toEqual([record(workspace, undefined, { inbox: "ALL", email: "ALL" })]);
    await setConfig(workspace, ["grace"], { email: "MINE" });
    expect(await organizationConfig()).toEqual([record(workspace, undefined, { inbox: "ALL", email: "MINE" })]);
  },
);

test.each([{}, { documentIds: [] }, { getOrganizationConfig: false }])(
  "%j without documentIds is INVALID_ARGUMENT",
  async (request) => {
    const error = await (await service.workspace()).error(PATH, { organizationId, userId: "grace", ...request });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: "data must have at least 1 item in documentIds, or getOrganizationConfig as true",
    });
  },
);

test("a request can read 30 documents, none and 31 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const documentIds = Array.from({ length: 31 }, (_, index) => `d${index}`);
  expect(await get(workspace, { documentIds: documentIds.slice(1) })).toHaveLength(30);
  const error = await workspace.error(PATH, { organizationId, userId: "grace", documentIds });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/^data\.documentIds /) });
});

test("the preferences of another workspace are not read, and reading creates nothing", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await setConfig(theirs, ["grace"], { inbox: "NONE" });
  expect(await get(mine, { documentIds: ["d1"] })).toEqual([record(mine, "d1", { inbox: "ALL", email: "ALL" })]);
  expect(await get(theirs, { documentIds: ["d1"], organizationId: "globex" })).toMatchObject([
    { config: { inbox: "ALL" } },
  ]);
  expect(await mine.data("/v2/organizations/get", {})).toEqual([]);
});
