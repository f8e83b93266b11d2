import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addPresence, agePresence } from "../../../../test/presence.ts";

const PATH = "/v2/organizations/presence/get";
const { organizationId } = SCOPE;
const service = await startTestService();

async function readPlaces(workspace: TestWorkspace): Promise<string[]> {
  const found = await workspace.data(PATH, { organizationId });
  return found.map(({ documentId, userId, status }) => `${documentId} ${userId} ${status}`);
}

test("users who are online or away are returned for each document that they are in", async () => {
  const workspace = await service.workspace();
  const ada = { userId: "ada", name: 'Ada "L"', email: "ada@example.com", status: "away" as const };
  await addPresence(workspace, ["grace", ada], { documentId: "b" });
  await addPresence(workspace, ["grace", { userId: "linus", status: "offline" }], { documentId: "a" });
  await addPresence(workspace, ["kurt"], { organizationId: "globex" });
  expect(await readPlaces(workspace)).toEqual(["a grace online", "b ada away", "b grace online"]);
  const [, found] = await workspace.data(PATH, { organizationId });
  expect(found).toEqual({ documentId: "b", ...ada, lastActive: expect.any(Number) });
});

test("users without a heartbeat for 10 minutes, and those in disabled documents, are left out", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada", "grace"], { documentId: "a" });
  await addPresence(workspace, ["kurt"], { documentId: "b" });
  await agePresence(service.database, workspace, ["ada"], 10);
  const disabled = true;
  await workspace.data("/v2/organizations/documents/access/disablestate/update", {
    ...{ organizationId, documentIds: ["b"], disabled },
  });
  expect(await readPlaces(workspace)).toEqual(["a grace online"]);
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: [organizationId], disabled });
  expect(await workspace.error(PATH, { organizationId })).toMatchObject({
    details: { reason: "organization_disabled" },
  });
});

test("pages hold each user once", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada", "grace"], { documentId: "a" });
  await addPresence(workspace, ["ada"], { documentId: "b" });
  const first = await workspace.result(PATH, { organizationId, pageSize: 2 });
  expect(first.data).toMatchObject([
    { documentId: "a", userId: "ada" },
    { documentId: "a", userId: "grace" },
  ]);
  const second = await workspace.result(PATH, { organizationId, pageSize: 2, pageToken: first.pageToken });
  expect(second.data).toMatchObject([{ documentId: "b", userId: "ada" }]);
  expect(second).not.toHaveProperty("pageToken");
});
