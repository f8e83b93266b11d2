import { expect, test } from "vitest";
import { workspaceWithDocument } from "../../../test/events.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const service = await startTestService();
const EVENTS = "/v2/events/get";

function broadcast(workspace: TestWorkspace, liveStateDataId: string, data: Record<string, unknown>, merge = false) {
  return workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId, data, merge });
}

test("a broadcast is an event with the state that get returns, replaced or merged", async () => {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await workspace.data(EVENTS, SCOPE);
  await broadcast(workspace, "review", { clause: 3 });
  await broadcast(workspace, "review", { presenter: "ada" }, true);
  const { events } = await workspace.data(EVENTS, { ...SCOPE, cursor });
  const [record] = await workspace.data("/v2/livestate/get", SCOPE);
  const expected = { event: "live_state.update", ...SCOPE, subject: { liveStateDataId: "review" }, record };
  expect(events).toMatchObject([expected, expected]);
  expect(record).toMatchObject({ data: { clause: 3, presenter: "ada" } });
});

test("a broadcast that is rejected is not recorded as an event", async () => {
  const workspace = await workspaceWithDocument(service);
  await broadcast(workspace, "review", { text: "x".repeat(40_000) });
  const { cursor } = await workspace.data(EVENTS, SCOPE);
  const merge = { ...SCOPE, liveStateDataId: "review", data: { more: "x".repeat(40_000) }, merge: true };
  await workspace.error("/v2/livestate/broadcast", merge);
  expect((await workspace.data(EVENTS, { ...SCOPE, cursor })).events).toEqual([]);
});

test("who begins to listen to a document gets its live states first", async () => {
  const workspace = await workspaceWithDocument(service);
  await broadcast(workspace, "one", { clause: 1 });
  await broadcast(workspace, "two", { clause: 2 });
  const { events, cursor } = await workspace.data(EVENTS, SCOPE);
  expect(events).toMatchObject([
    { event: "live_state.update", subject: { liveStateDataId: "one" }, record: { data: { clause: 1 } } },
    { event: "live_state.update", subject: { liveStateDataId: "two" }, record: { data: { clause: 2 } } },
  ]);
  expect((await workspace.data(EVENTS, { ...SCOPE, cursor })).events).toEqual([]);
  const ofOrganization = await workspace.data(EVENTS, { organizationId: SCOPE.organizationId });
  const ofComments = await workspace.data(EVENTS, { ...SCOPE, kinds: ["comment.add"] });
  expect([ofOrganization.events, ofComments.events]).toEqual([[], []]);
});

test("who begins to listen gets large live states only up to 1 MiB", async () => {
  const workspace = await workspaceWithDocument(service);
  const text = "x".repeat(60_000);
  for (let index = 0; index < 40; index++) await broadcast(workspace, `state-${index}`, { text });
  const { events } = await workspace.data(EVENTS, SCOPE);
  expect(events).toHaveLength(Math.ceil((1024 * 1024) / 60_100));
  expect(events[0]).toMatchObject({ subject: { liveStateDataId: "state-0" }, record: { data: { text } } });
});
