import { expect, test } from "vitest";
import { createToken, revokeToken } from "../../src/features/workspaces/workspaces.ts";
import { BEFORE_CACHE_EXPIRY, eventually } from "../eventually.ts";
import { addActivities, readActivities, readActivityIds, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";

const { organizationId } = SCOPE;
const service = await startTestService();
const second = await service.secondProcess();

/** Creates a workspace with twelve callers, which alternate between the two processes. */
async function twelveCallers(): Promise<{ workspace: TestWorkspace; callers: TestWorkspace[] }> {
  const workspace = await service.workspace();
  const other = workspace.at(second.address);
  return { workspace, callers: Array.from({ length: 12 }, (_, index) => (index % 2 ? other : workspace)) };
}

test("12 concurrent writes of one id leave one complete record", async () => {
  const { callers } = await twelveCallers();
  const written = callers.map((_, writer) => ({
    id: "contested",
    actionUser: { userId: `writer-${writer}` },
    entityData: { writer, text: "x".repeat(writer * 1000) },
    displayMessageTemplate: `by ${writer}`,
  }));
  await Promise.all(callers.map((caller, writer) => addActivities(caller, [{ ...written[writer] }])));
  const records = await Promise.all(callers.map((caller) => readActivities(caller)));
  const [[record] = []] = records;
  expect(records).toEqual(Array(12).fill([record]));
  expect(written).toContainEqual(expect.objectContaining({ entityData: record?.entityData }));
  const winner = written.find(({ actionUser }) => actionUser.userId === Object(record?.actionUser).userId);
  expect(record).toMatchObject({ ...winner });
});

test("12 concurrent writes of the same IDs in different orders all succeed", async () => {
  const { workspace, callers } = await twelveCallers();
  const ids = Array.from({ length: 100 }, (_, index) => `activity-${index}`);
  await Promise.all(callers.map((caller, turn) => addActivities(caller, turn % 3 ? ids : ids.toReversed())));
  expect((await readActivityIds(workspace)).sort()).toEqual(ids.toSorted());
});

test("12 concurrent first writes to one organization and document all succeed", async () => {
  const { workspace, callers } = await twelveCallers();
  await Promise.all(callers.map((caller, writer) => addActivities(caller, [`activity-${writer}`])));
  expect(await readActivityIds(workspace)).toHaveLength(12);
  expect(await workspace.data("/v1/organizations/get", {})).toHaveLength(1);
});

test("concurrent updates of different fields of one record are all stored", async () => {
  const { workspace, callers } = await twelveCallers();
  await addActivities(workspace, ["shared"]);
  const updates = [{ changes: { a: 1 } }, { entityData: 2 }, { entityTargetData: 3 }, { actionIcon: "4" }];
  await Promise.all(
    updates.map((fields, index) =>
      callers[index]?.data("/v2/activities/update", { organizationId, activities: [{ id: "shared", ...fields }] }),
    ),
  );
  expect(await readActivities(workspace)).toMatchObject([Object.assign({}, ...updates)]);
});

test("concurrent updates of the same IDs in different orders all succeed", async () => {
  const { workspace, callers } = await twelveCallers();
  const ids = Array.from({ length: 50 }, (_, index) => `activity-${index}`);
  await addActivities(workspace, ids);
  const responses = await Promise.all(
    callers.map((one, turn) => {
      const activities = (turn % 3 ? ids : ids.toReversed()).map((id) => ({ id, actionIcon: `${turn}` }));
      return one.data("/v2/activities/update", { organizationId, activities });
    }),
  );
  const all = Object.fromEntries(ids.map((id) => [id, { success: true, message: "Activity updated." }]));
  expect(responses).toEqual(Array(12).fill(all));
});

test("of concurrent deletions of one record exactly one succeeds", async () => {
  const { workspace, callers } = await twelveCallers();
  await addActivities(workspace, ["single"]);
  const responses = await Promise.all(
    callers.map((caller) =>
      caller.data("/v2/activities/delete", {
        organizationId,
        activityIds: ["single"],
      }),
    ),
  );
  expect(responses.filter(({ single }) => single?.success)).toHaveLength(1);
});

test("a rejected request does not affect concurrent requests", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: ["off"], disabled: true });
  const responses = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const scope = { ...SCOPE, organizationId: index % 4 ? organizationId : "off" };
      const activities = [
        { id: `activity-${index}`, featureType: "comment", actionType: "x", actionUser: { userId: "u" } },
      ];
      return (await workspace.call("/v2/activities/add", { ...scope, activities })).httpStatus;
    }),
  );
  expect(responses).toEqual(Array.from({ length: 24 }, (_, index) => (index % 4 ? 200 : 403)));
  expect(await readActivityIds(workspace)).toHaveLength(18);
});

test("a token revoked by one process is soon rejected by every other one", async () => {
  const workspace = await service.workspace();
  const token = { workspaceId: workspace.id, name: "second", expiresAt: undefined };
  const { tokenId, authToken } = await createToken(service.database, token);
  const status = async (address: string) =>
    (await workspace.at(address).call("/v1/organizations/get", {}, { "x-service-auth-token": authToken })).httpStatus;
  expect([await status(service.address), await status(second.address)]).toEqual([200, 200]);
  await revokeToken(service.database, tokenId);
  const statuses = async () => [await status(service.address), await status(second.address)];
  await expect.poll(statuses, BEFORE_CACHE_EXPIRY).toEqual([403, 403]);
});

test("a token that a process has cached is rejected from the moment it expires", async () => {
  const workspace = await service.workspace();
  const statusWith = async (authToken: string) =>
    (await workspace.call("/v1/organizations/get", {}, { "x-service-auth-token": authToken })).httpStatus;
  const { authToken, expiresAt } = await eventually(async () => {
    const token = { workspaceId: workspace.id, name: "short", expiresAt: Date.now() + 3_000 };
    const created = await createToken(service.database, token);
    expect(await statusWith(created.authToken)).toBe(200);
    return { ...created, expiresAt: token.expiresAt };
  });
  await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(expiresAt);
  expect(await statusWith(authToken)).toBe(403);
});

test("an organization disabled by one process is rejected by another as soon as the call returns", async () => {
  const workspace = await service.workspace();
  const other = workspace.at(second.address);
  await addActivities(other, ["before"]);
  for (let round = 0; round < 10; round++) {
    await workspace.data("/v2/organizations/access/disablestate/update", {
      organizationIds: [organizationId],
      disabled: round % 2 === 0,
    });
    const { httpStatus } = await other.call("/v2/activities/get", { organizationId });
    expect(httpStatus).toBe(round % 2 === 0 ? 403 : 200);
  }
});
