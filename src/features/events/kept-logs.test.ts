import { expect, test } from "vitest";
import { openEventStream } from "../../../test/event-streams.ts";
import { eventually } from "../../../test/eventually.ts";
import { addActivities } from "../../../test/factories.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";

const service = await startOwnTestService(() => ({ eventRetentionMs: 20_000 }));

test("the log of a workspace is written while a stream is open, longer than the retention", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["earlier"]);
  const stream = await openEventStream(workspace, service.address);
  const selectEnd = async () => {
    const rows = await runSql<{ end: string }>(
      service.database,
      "select events_until as end from workspaces where id = $1",
      [workspace.id],
    );
    return Number(rows[0]?.end);
  };
  const end = await selectEnd();
  await eventually(async () => expect(await selectEnd()).toBeGreaterThan(end));
  await runSql(service.database, "update workspaces set events_until = 0 where id = $1", [workspace.id]);
  await eventually(async () => expect(await selectEnd()).toBeGreaterThan(end));
  await addActivities(workspace, ["later"]);
  await eventually(() => expect(stream.events()).toContainEqual(["activity.add", { id: "later" }]));
});
