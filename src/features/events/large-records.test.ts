import { expect, test } from "vitest";
import { eventReader, getEvents, workspaceWithDocument } from "../../../test/events.ts";
import { activity, SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";

const service = await startTestService();
const UPDATES = 20;
/** Length of a record: the records of the events that are read first are more than a response should have. */
const LENGTH = 700_000;

test("events of large records are read in several pages without a gap", async () => {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await getEvents(workspace);
  const activities = [activity({ id: "large", entityData: { text: "x".repeat(LENGTH) } })];
  await workspace.data("/v2/activities/add", { ...SCOPE, activities });
  for (let count = 0; count < UPDATES; count++) {
    const updateData = [{ id: "large", displayMessageTemplate: `Update ${count}` }];
    await workspace.data("/v2/activities/update", { organizationId: SCOPE.organizationId, activities: updateData });
  }
  const page = await getEvents(workspace, { cursor });
  expect(JSON.stringify(page).length).toBeLessThan(9 * LENGTH);
  const changes = eventReader(workspace, cursor);
  const kinds: string[] = [];
  for (let read = await changes(); read.length > 0; read = await changes())
    kinds.push(...read.map(([kind]: string[]) => kind));
  expect(kinds).toEqual(["activity.add", ...Array(UPDATES).fill("activity.update")]);
});
