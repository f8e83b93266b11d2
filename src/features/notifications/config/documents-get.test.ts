import { expect, test } from "vitest";
import { startTestService } from "../../../../test/harness.ts";
import { setConfig } from "../../../../test/notifications.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";

const PATH = "/v2/notifications/config/documents/get";
const SCOPE = { organizationId: "acme", userId: "grace" };
const service = await startTestService();

test("every document with a preference of the user is returned with the channels that are set there", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE" });
  await setConfig(workspace, ["grace"], { inbox: "MINE", email: "NONE" }, ["d2"]);
  await setConfig(workspace, ["grace"], { slack: "ALL" }, ["d1"]);
  await setConfig(workspace, ["bob"], { inbox: "ALL" }, ["d3"]);
  expect(await workspace.data(PATH, SCOPE)).toEqual([
    { documentId: "d1", config: { slack: "ALL" } },
    { documentId: "d2", config: { inbox: "MINE", email: "NONE" } },
  ]);
  expect(await workspace.data(PATH, { ...SCOPE, organizationId: "globex" })).toEqual([]);
  const first = await workspace.result(PATH, { ...SCOPE, pageSize: 1 });
  expect(first.data).toMatchObject([{ documentId: "d1" }]);
  const second = await workspace.result(PATH, { ...SCOPE, pageSize: 1, pageToken: first.pageToken });
  expect(second.data).toMatchObject([{ documentId: "d2" }]);
  expect(second).not.toHaveProperty("pageToken");
});

test("a disabled document is left out, and a disabled organization is rejected", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE" }, ["d1", "d2"]);
  await workspace.data("/v2/organizations/documents/add", {
    organizationId: "acme",
    documents: [{ documentId: "d2" }],
  });
  await workspace.data("/v2/organizations/documents/access/disablestate/update", {
    ...{ organizationId: "acme", documentIds: ["d2"], disabled: true },
  });
  expect(await workspace.data(PATH, SCOPE)).toEqual([{ documentId: "d1", config: { inbox: "NONE" } }]);
  const organizationIds = ["acme"];
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
  expect(await workspace.error(PATH, SCOPE)).toMatchObject({ details: { reason: "organization_disabled" } });
});

test("users list their own preferences for documents that they can read, and remove them", async () => {
  const workspace = await service.workspace();
  await setConfig(workspace, ["grace"], { inbox: "NONE", email: "MINE" }, ["d1", "closed"]);
  await setConfig(workspace, ["bob"], { inbox: "ALL" }, ["d3"]);
  await workspace.data("/v2/organizations/documents/add", {
    ...{ organizationId: "acme", documents: [{ documentId: "closed" }] },
  });
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId: "acme", documentIds: ["closed"], accessType: "restricted" },
  });
  const token = await tokenFor(workspace, "grace");
  const call = async (path: string, request: object) =>
    Object((await callWith(token, `${service.address}${path}`, { organizationId: "acme", ...request })).body);
  const own = [{ documentId: "d1", config: { inbox: "NONE", email: "MINE" } }];
  expect((await call(PATH, {})).result.data).toEqual(own);
  expect((await call(PATH, { userId: "bob" })).error).toMatchObject({ details: { reason: "identity_mismatch" } });
  const config = { inbox: null, email: null, slack: null };
  await call("/v2/notifications/config/set", { documentIds: ["d1"], config });
  expect((await call(PATH, {})).result.data).toEqual([]);
  expect(await workspace.data(PATH, SCOPE)).toMatchObject([{ documentId: "closed" }]);
});
