import { expect, test } from "vitest";
import { getEvents, workspaceWithDocument } from "../../../test/events.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { operations } from "../../operations.ts";

const service = await startTestService();
const EVENTS = "/v2/events/get";
const GET = "/v2/activities/get";
const { organizationId } = SCOPE;
const LISTS = operations.filter(({ hasEventCursor }) => hasEventCursor);

async function read(workspace: TestWorkspace, path: string, data: object) {
  return Object(await workspace.uncheckedResult(path, data));
}

async function listenedWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await workspace.data(EVENTS, { organizationId });
  return workspace;
}

test("every list of records of a document, organization or inbox returns an event cursor", async () => {
  const workspace = await listenedWorkspace();
  expect(LISTS.map(({ path }) => path)).toEqual([
    ...[GET, "/v2/commentannotations/comments/get", "/v2/commentannotations/get", "/v2/crdt/get", "/v2/livestate/get"],
    ...["/v2/notifications/get", "/v2/organizations/documents/figures/get", "/v2/organizations/documents/get"],
    ...["/v2/organizations/notifications/get", "/v2/organizations/presence/get"],
    ...["/v2/presence/get", "/v2/recordings/get", "/v2/users/figures/get", "/v2/users/get"],
  ]);
  await workspace.data("/v2/commentannotations/add", {
    ...SCOPE,
    commentAnnotations: [{ annotationId: "annotation-1", commentData: [{ from: { userId: "ada" } }] }],
  });
  for (const { path, example } of LISTS) {
    const { eventCursor } = await read(workspace, path, { ...Object(example), organizationId });
    expect(eventCursor, path).toEqual(expect.any(String));
    const { events, isReset } = await workspace.data(EVENTS, { organizationId, cursor: eventCursor });
    expect({ events, isReset }, path).toEqual({ events: [], isReset: undefined });
  }
});

test("the changes that a page does not show follow its cursor", async () => {
  const workspace = await listenedWorkspace();
  await addActivities(workspace, ["one", "two"]);
  const { data, eventCursor, pageToken } = await read(workspace, GET, { ...SCOPE, pageSize: 1 });
  await addActivities(workspace, ["three"]);
  const next = await read(workspace, GET, { ...SCOPE, pageSize: 1, pageToken });
  expect([data.length, next.data.length, next.eventCursor]).toEqual([1, 1, undefined]);
  const { events } = await workspace.data(EVENTS, { organizationId, cursor: eventCursor });
  expect(events.map(({ subject }) => subject)).toEqual([{ id: "three" }]);
});

test("a user goes on from the cursor of a list with the own rights", async () => {
  const workspace = await listenedWorkspace();
  const token = await tokenFor(workspace, "ada");
  await addActivities(workspace, ["one"]);
  const { body } = await callWith(token, `${service.address}${GET}`, SCOPE);
  await addActivities(workspace, ["two"]);
  const { eventCursor } = Object(body).result;
  const response = await callWith(token, `${service.address}${EVENTS}`, { ...SCOPE, cursor: eventCursor });
  expect(Object(response.body).result.data.events).toMatchObject([{ event: "activity.add", subject: { id: "two" } }]);
});

test("a list has no cursor while nobody listens", async () => {
  const { eventCursor } = await read(await service.workspace(), GET, SCOPE);
  expect(eventCursor).toBeUndefined();
});

test("a cursor from before the events of a deleted document reads on", async () => {
  const workspace = await workspaceWithDocument(service);
  const { cursor } = await getEvents(workspace);
  await addActivities(workspace, ["gone"]);
  await workspace.data("/v2/organizations/documents/delete", { organizationId, documentIds: [SCOPE.documentId] });
  const { events, isReset } = await getEvents(workspace, { cursor });
  expect(events.map(({ event }) => event)).toEqual(["access.update", "document.delete"]);
  expect(isReset).toBeUndefined();
});
