import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { addPresence, agePresence, readPresence, readUserIds } from "../../../test/presence.ts";

const PATH = "/v2/presence/get";
const service = await startTestService();

test("a document without heartbeats has no users present, and reading creates nothing", async () => {
  const workspace = await service.workspace();
  expect(await readPresence(workspace)).toEqual([]);
  expect(await workspace.data("/v1/organizations/get", {})).toEqual([]);
});

test.each([
  [{}, ["ada", "grace", "linus"]],
  [{ userIds: ["grace"] }, ["grace"]],
  [{ userIds: ["linus", "missing", "ada", "ada"] }, ["ada", "linus"]],
  [{ userIds: ["missing"] }, []],
  [{ documentId: "other" }, ["barbara"]],
  [{ organizationId: "globex" }, []],
])("%j reads exactly the users %j", async (filters, ids) => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["linus", "ada", "grace"]);
  await addPresence(workspace, ["barbara"], { documentId: "other" });
  expect(await readUserIds(workspace, filters)).toEqual(ids);
});

test.each([
  [9, "away"],
  [10, "offline"],
  [24 * 60 - 1, "offline"],
])("an entry last renewed %i minutes ago reads as %s", async (minutes, status) => {
  const workspace = await service.workspace();
  await addPresence(workspace, [{ userId: "ada", name: "Ada", status: "away" }]);
  const [before] = await readPresence(workspace);
  await agePresence(service.database, workspace, ["ada"], minutes);
  const lastActive = Number(before?.lastActive) - minutes * 60_000;
  expect(await readPresence(workspace)).toEqual([{ userId: "ada", name: "Ada", status, lastActive }]);
});

test("an entry last renewed 24 hours ago is not read, and others are", async () => {
  const workspace = await service.workspace();
  await addPresence(workspace, ["ada", "grace"]);
  await agePresence(service.database, workspace, ["ada"], 24 * 60);
  expect(await readUserIds(workspace)).toEqual(["grace"]);
  expect(await readUserIds(workspace, { userIds: ["ada"] })).toEqual([]);
});

test("10,000 users of a document are read in one response", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 10_000 }, (_, index) => `user-${index}`);
  for (let start = 0; start < ids.length; start += 1000) await addPresence(workspace, ids.slice(start, start + 1000));
  expect(await readUserIds(workspace)).toEqual(ids.toSorted());
});

test("the users of another workspace are indistinguishable from missing ones", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await addPresence(theirs, ["ada"]);
  expect(await mine.result(PATH, { ...SCOPE, userIds: ["ada"] })).toEqual(
    await mine.result(PATH, { ...SCOPE, userIds: ["missing"] }),
  );
});

test.each([
  { userIds: [] },
  { userIds: Array.from({ length: 1001 }, (_, index) => `${index}`) },
  { documentId: undefined },
])("%j is INVALID_ARGUMENT", async (fields) => {
  const error = await (await service.workspace()).error(PATH, { ...SCOPE, ...fields });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
});
