import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addPresence, countStoredPresence, readUserIds } from "../../../test/presence.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/presence/delete";
const service = await startTestService();

function remove(workspace: TestWorkspace, userIds: string[], scope: Partial<Api[typeof PATH]["request"]> = {}) {
  return workspace.data(PATH, { ...SCOPE, userIds, ...scope });
}

test("the given users are removed from the document; other users and documents keep their entries", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada", "grace", "linus"]);
  await addPresence(workspace, ["ada"], { documentId: "other" });
  expect(await remove(workspace, ["ada", "linus", "ada"])).toEqual({ success: true });
  expect(await readUserIds(workspace)).toEqual(["grace"]);
  expect(await readUserIds(workspace, { documentId: "other" })).toEqual(["ada"]);
  expect(await countStoredPresence(service.database, workspace)).toBe(2);
});

test("removing absent users succeeds repeatedly and creates nothing", async () => {
  const workspace = await service.workspace();
  for (let attempt = 0; attempt < 2; attempt++) expect(await remove(workspace, ["ada"])).toEqual({ success: true });
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test("the next heartbeat of a removed user creates a new entry", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, [{ userId: "ada", name: "Ada" }]);
  await remove(workspace, ["ada"]);
  await addPresence(workspace, ["ada"]);
  const [entry] = await workspace.data("/v2/presence/get", SCOPE);
  expect(entry).not.toHaveProperty("name");
});

test("the users of other organizations and workspaces stay", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addPresence(theirs, ["ada"]);
  await addPresence(mine, ["ada"], { organizationId: "globex" });
  expect(await remove(mine, ["ada"])).toEqual({ success: true });
  expect(await readUserIds(theirs)).toEqual(["ada"]);
  expect(await readUserIds(mine, { organizationId: "globex" })).toEqual(["ada"]);
});

test("concurrent heartbeats and removals of the same users, in any order, all succeed", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 50 }, (_, index) => `${index}`);
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, turn) => {
      const inTurn = turn % 4 < 2 ? ids : ids.toReversed();
      return turn % 2 ? remove(workspace, inTurn) : addPresence(workspace, inTurn);
    }),
  );
  expect(responses).toEqual(Array(40).fill({ success: true }));
  await remove(workspace, ids);
  expect(await readUserIds(workspace)).toEqual([]);
});

test.each([
  { userIds: undefined },
  { userIds: [] },
  { userIds: Array.from({ length: 1001 }, (_, index) => `${index}`) },
  { userIds: ["ada", 7] },
  { documentId: undefined },
  { organizationId: undefined },
])("%j is INVALID_ARGUMENT and no user is removed", async (fields) => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada"]);
  const error = await workspace.error(PATH, { ...SCOPE, userIds: ["ada"], ...fields });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
  expect(await readUserIds(workspace)).toEqual(["ada"]);
});
