import { expect, test } from "vitest";
import {
  activity,
  addActivities,
  readActivities,
  readActivityIds,
  readActivityPages,
  SCOPE,
} from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";

const service = await startTestService();
const LAST_YEAR = Date.now() - 365 * 24 * 60 * 60 * 1000;

test("a record takes its place in every feed by the given timestamp", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["now"]);
  await addActivities(workspace, [
    { id: "second", timestamp: LAST_YEAR + 1, targetEntityId: "clause-3" },
    { id: "first", timestamp: LAST_YEAR, targetEntityId: "clause-3" },
    { id: "epoch", timestamp: 0 },
  ]);
  const inOrder = ["epoch", "first", "second", "now"];
  expect(await readActivityIds(workspace)).toEqual(inOrder);
  for (const filter of [{ documentId: SCOPE.documentId }, { userId: "ada" }, { actionTypes: ["comment.add"] }]) {
    expect(await readActivityIds(workspace, filter)).toEqual(inOrder);
  }
  expect(await readActivityIds(workspace, { targetEntityId: "clause-3" })).toEqual(["first", "second"]);
  const [record] = await readActivities(workspace, { activityIds: ["first"] });
  const metadata = { ...SCOPE, apiKey: workspace.apiKey };
  expect(record).toEqual({ ...activity({ id: "first", targetEntityId: "clause-3" }), metadata, timestamp: LAST_YEAR });
});

test("overwriting a record keeps its timestamp, whatever timestamp is sent", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "imported", timestamp: LAST_YEAR }, "now"]);
  const before = await readActivities(workspace);
  await addActivities(workspace, [
    { id: "imported", timestamp: LAST_YEAR + 5 },
    { id: "now", timestamp: LAST_YEAR - 5 },
  ]);
  await addActivities(workspace, ["imported"]);
  expect(await readActivities(workspace)).toEqual(before);
});

test("pages of records with equal timestamps neither repeat nor skip a record, in the order of the calls", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 30 }, (_, index) => `${(index * 7) % 30}`);
  for (const part of [ids.slice(0, 20), ids.slice(20)]) {
    await addActivities(
      workspace,
      part.map((id) => ({ id, timestamp: LAST_YEAR })),
    );
  }
  for (const order of ["asc", "desc"] as const) {
    const pages = await readActivityPages(workspace, { order, pageSize: 7 });
    const read = pages.flat().map(({ id }) => id);
    expect(read).toEqual(order === "asc" ? ids : ids.toReversed());
  }
});

test("a record imported between two pages does not move the others", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a", "b", "c"]);
  const first = await workspace.result("/v2/activities/get", { ...SCOPE, pageSize: 1 });
  await addActivities(workspace, [{ id: "imported", timestamp: LAST_YEAR }]);
  const { pageToken } = first;
  const rest = await workspace.result("/v2/activities/get", { ...SCOPE, pageSize: 10, pageToken });
  expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(["c", "b", "a", "imported"]);
});

test.each([-1, 1.5, "1700000000000", null, Date.now() + 10 * 60_000, 8.64e15 + 1])(
  "the timestamp %j is INVALID_ARGUMENT, and nothing is added",
  async (timestamp) => {
    const workspace = await service.workspace();
    const activities = [activity(), { ...activity(), timestamp }];
    const error = await workspace.error("/v2/activities/add", { ...SCOPE, activities });
    const message = expect.stringMatching(/^data\.activities\[1\]\.timestamp must/);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message });
    expect(await readActivityIds(workspace)).toEqual([]);
  },
);

test("a timestamp of a clock that is a little ahead becomes the current time", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [{ id: "ahead", timestamp: Date.now() + 30_000 }]);
  const [record] = await readActivities(workspace);
  expect(record?.timestamp).toBeLessThanOrEqual(Date.now());
});
