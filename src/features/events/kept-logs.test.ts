import { expect, test } from "vitest";
import { openEventStream } from "../../../test/event-streams.ts";
import { getEvents } from "../../../test/events.ts";
import { eventually } from "../../../test/eventually.ts";
import { addActivities } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";

const service = await startOwnTestService(() => ({ eventRetentionMs: 60_000 }));

async function selectEnd(workspace: TestWorkspace): Promise<number> {
  const rows = await runSql<{ end: string }>(
    service.database,
    "select events_until as end from workspaces where id = $1",
    [workspace.id],
  );
  return Number(rows[0]?.end);
}

test("the log of a workspace that is read now and then is extended, before it ends", async () => {
  const workspace = await service.workspace();
  const { cursor } = await getEvents(workspace);
  const end = await selectEnd(workspace);
  await eventually(async () => {
    expect(await getEvents(workspace, { cursor })).toEqual({ events: [], cursor });
    expect(await selectEnd(workspace)).toBeGreaterThan(end);
  });
});

test("the log of a workspace is written while a stream is open, longer than the retention", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["earlier"]);
  const stream = await openEventStream(workspace, service.address);
  const end = await selectEnd(workspace);
  await eventually(async () => expect(await selectEnd(workspace)).toBeGreaterThan(end));
  await runSql(service.database, "update workspaces set events_until = 0 where id = $1", [workspace.id]);
  await eventually(async () => expect(await selectEnd(workspace)).toBeGreaterThan(end));
  await addActivities(workspace, ["later"]);
  await eventually(() => expect(stream.events()).toContainEqual(["activity.add", { id: "later" }]));
});
