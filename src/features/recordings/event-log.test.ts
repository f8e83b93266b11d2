import { expect, test } from "vitest";
import { workspaceWithDocument } from "../../../test/events.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";

const service = await startTestService();
const { organizationId } = SCOPE;

test("each change of recordings is an event with the recording as get returns it", async () => {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await workspace.data("/v2/events/get", { organizationId });
  const events = async () => (await workspace.data("/v2/events/get", { organizationId, cursor })).events;
  const recordings = [{ annotationId: "r", from: { userId: "ada" }, displayName: "How" }];
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings });
  const changed = [{ annotationId: "r", displayName: "Why" }, { annotationId: "missing" }];
  await workspace.data("/v2/recordings/update", { organizationId, recordings: changed });
  const [record] = await workspace.data("/v2/recordings/get", SCOPE);
  const subject = { annotationId: "r" };
  expect(await events()).toMatchObject([
    { event: "recorder.done", ...SCOPE, subject, record },
    { event: "recorder.update", ...SCOPE, subject, record },
  ]);
  await workspace.data("/v2/recordings/delete", { organizationId, recordingIds: ["r", "missing"] });
  expect(await events()).toMatchObject([{ event: "recorder.delete", ...SCOPE, subject }]);
});
