import { expect, test } from "vitest";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import { operations } from "../src/operations.ts";
import { exampleIn, expectedSuccess, filledWorkspace, preparedWorkspace } from "./examples.ts";
import { startTestService, type TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";
import { callWith, tokenFor } from "./user-tokens.ts";

const service = await startTestService();
const EVENTS = "/v2/events/get";
const organizationId = "acme";

interface Expected {
  /** Kinds of the events that a backend gets, in order. */
  backend: string[];
  /** Those of a user who is an editor of the organization and no recipient; the same by default. */
  user?: string[];
}

const forAll = (...backend: string[]): Expected => ({ backend });
const forBackends = (...backend: string[]): Expected => ({ backend, user: [] });
/** The events of an example that creates its organization, before those given. */
const inOrganization = ({ backend, user = backend }: Expected): Expected => ({
  backend: ["organization.update", ...backend],
  user,
});
/** The events of an example that creates its organization and document. */
const inDocument = ({ backend, user = backend }: Expected): Expected =>
  inOrganization({ backend: ["document.update", ...backend], user: ["document.update", ...user] });

/**
 * The events that the example of an operation writes in the organization; the others write none. Changes of
 * collaborative documents, and the deletion of users' data, are reported later, and have tests of their own.
 */
const EXPECTED = new Map<string, Expected>([
  [
    "/v1/organizations/documents/locations/data/delete",
    {
      backend: ["comment.delete", "comment.delete", "comment_annotation.delete", "notification.delete"],
      user: ["comment.delete", "comment.delete", "comment_annotation.delete"],
    },
  ],
  [
    "/v1/organizations/documents/locations/update",
    { backend: ["comment_annotation.update", "notification.update"], user: ["comment_annotation.update"] },
  ],
  ["/v1/notifications/update", forBackends("notification.update")],
  ["/v2/activities/add", inDocument(forAll("activity.add"))],
  ["/v2/activities/delete", forAll("activity.delete", "activity.delete")],
  ["/v2/activities/update", forAll("activity.update")],
  ["/v2/auth/permissions/add", inDocument(forBackends("access.update"))],
  ["/v2/auth/permissions/remove", forBackends("access.update")],
  ["/v2/commentannotations/add", inDocument(forAll("comment_annotation.add"))],
  ["/v2/commentannotations/comments/add", forAll("comment.add")],
  ["/v2/commentannotations/comments/delete", forAll("comment.delete")],
  ["/v2/commentannotations/comments/update", forAll("comment.update")],
  ["/v2/commentannotations/delete", forAll("comment.delete", "comment.delete", "comment_annotation.delete")],
  ["/v2/commentannotations/update", forAll("comment_annotation.status_change", "comment_annotation.assign")],
  ["/v2/crdt/add", inDocument(forAll())],
  ["/v2/crdt/delete", forAll("comment_annotation.update", "crdt.delete")],
  ["/v2/crdt/update", forAll("comment_annotation.update")],
  ["/v2/crdt/versions/add", forAll("crdt.versions_update")],
  ["/v2/crdt/versions/delete", forAll("crdt.versions_update")],
  ["/v2/crdt/versions/restore", forAll("crdt.versions_update")],
  ["/v2/crdt/versions/update", forAll("crdt.versions_update")],
  ["/v2/files/add", inDocument(forAll())],
  ["/v2/livestate/broadcast", forAll("live_state.update")],
  ["/v2/notifications/add", inDocument(forBackends("notification.add"))],
  ["/v2/notifications/archive", forBackends("notification.update")],
  ["/v2/notifications/delete", forBackends("notification.delete")],
  ["/v2/notifications/read", forBackends("notification.update")],
  ["/v2/organizations/documents/access/disablestate/update", forBackends("access.update", "document.update")],
  ["/v2/organizations/documents/access/update", forBackends("access.update", "document.update")],
  ["/v2/organizations/documents/add", inOrganization(forAll("document.update", "document.update"))],
  ["/v2/organizations/documents/delete", { backend: ["access.update", "document.delete"], user: ["document.delete"] }],
  ["/v2/organizations/documents/migrate", forBackends("access.update")],
  ["/v2/organizations/documents/update", forAll("document.update")],
  ["/v2/organizations/folders/access/update", forBackends("access.update")],
  ["/v2/organizations/documents/move", { backend: ["access.update", "document.update"], user: ["document.update"] }],
  ["/v2/organizations/folders/add", inOrganization(forAll())],
  ["/v2/organizations/folders/delete", { backend: ["access.update", "document.delete"], user: ["document.delete"] }],
  ["/v2/organizations/folders/update", forBackends("access.update")],
  ["/v2/organizations/update", forBackends("organization.update")],
  ["/v2/organizations/usergroups/add", inOrganization(forAll())],
  ["/v2/organizations/usergroups/users/add", inOrganization(forBackends("user.update", "user.update"))],
  ["/v2/presence/add", inDocument(forAll("presence.update"))],
  ["/v2/presence/delete", forAll("presence.delete")],
  ["/v2/reactions/add", forAll("comment.reaction_add")],
  ["/v2/reactions/delete", forAll("comment.reaction_delete")],
  ["/v2/recordings/add", inDocument(forAll("recorder.done"))],
  ["/v2/recordings/delete", forAll("recorder.delete")],
  ["/v2/recordings/update", forAll("recorder.update")],
  ["/v2/users/add", inOrganization(forBackends("access.update", "user.update"))],
  ["/v2/users/delete", forBackends("access.update", "user.delete")],
  ["/v2/users/update", forBackends("access.update", "user.update")],
]);

const MOVE = "/v2/organizations/documents/move";
const intoFolder = { organizationId, documentIds: ["contract-7"], folderId: "contracts" };

/** Requests that change something where the example does not, with the calls that they need. */
const CHANGING = new Map<string, { first?: [path: string, request: object]; request?: object }>([
  [MOVE, { request: intoFolder }],
  ["/v2/organizations/folders/delete", { first: [MOVE, intoFolder] }],
  [
    "/v2/organizations/folders/update",
    {
      first: ["/v2/organizations/folders/add", { organizationId, folders: [{ folderId: "archive" }] }],
      request: { organizationId, folders: [{ folderId: "contracts", parentFolderId: "archive" }] },
    },
  ],
]);

const LATER = new Set(["crdt.update_data", "user_data.deleted"]);

interface Event {
  event: string;
  documentId?: string;
  subject: Record<string, string>;
  record?: unknown;
}

/** How the record of an event is read, by the beginning of its kind: the operation, and the filter with its ID. */
const READ_BY: Record<string, { path: string; list: string; id: string; parent?: string }> = {
  activity: { path: "/v2/activities/get", list: "activityIds", id: "id" },
  comment_annotation: { path: "/v2/commentannotations/get", list: "annotationIds", id: "annotationId" },
  comment: {
    ...{ path: "/v2/commentannotations/comments/get", list: "commentIds", id: "commentId", parent: "annotationId" },
  },
  recorder: { path: "/v2/recordings/get", list: "recordingIds", id: "annotationId" },
  notification: { path: "/v2/notifications/get", list: "notificationIds", id: "id" },
  live_state: { path: "/v2/livestate/get", list: "liveStateDataIds", id: "liveStateDataId" },
  presence: { path: "/v2/presence/get", list: "userIds", id: "userId" },
  document: { path: "/v2/organizations/documents/get", list: "documentIds", id: "id" },
  organization: { path: "/v2/organizations/get", list: "organizationIds", id: "id" },
  user: { path: "/v2/users/get", list: "userIds", id: "userId", parent: "folderId" },
};

/** Reads the record of an event as the same caller; undefined for kinds that have tests of their own. */
async function readRecord(
  workspace: TestWorkspace,
  { event, documentId, subject }: Event,
  token?: string,
): Promise<unknown> {
  const source = READ_BY[event.split(".")[0] ?? ""];
  if (!source || subject[source.id] === undefined) return undefined;
  const { path, list, id, parent } = source;
  const scope = id === "id" && list !== "activityIds" && list !== "notificationIds" ? {} : { documentId };
  const named = parent === undefined || subject[parent] === undefined ? {} : { [parent]: subject[parent] };
  const request = {
    ...(list !== "organizationIds" && { organizationId }),
    ...{ ...scope, ...named, [list]: [subject[id]] },
  };
  const { body } = await (token
    ? callWith(token, `${service.address}${path}`, request)
    : workspace.call(path, request));
  return Object(body).result.data[0];
}

/** Reads the events after the cursor, as the backend or with a user token. */
async function eventsAfter(workspace: TestWorkspace, cursor: string, token?: string): Promise<Event[]> {
  const request = { organizationId, cursor };
  const { body } = await (token
    ? callWith(token, `${service.address}${EVENTS}`, request)
    : workspace.call(EVENTS, request));
  // A call that replaces the credentials of the workspace has no events to read.
  const events: Event[] = Object(body).result?.data.events ?? [];
  return events.filter(({ event }) => !LATER.has(event));
}

/** The workspace of all operations that only read. Filling one takes 20 requests. */
const read = await filledWorkspace(service);

function workspaceFor(path: string): Promise<TestWorkspace> | TestWorkspace {
  if (path.endsWith("/get")) return read;
  return path.endsWith("/add") ? preparedWorkspace(service, path) : filledWorkspace(service);
}

test.each(operations)("$path writes the events of its changes, and none when it is rejected", async (operation) => {
  const { path, example } = operation;
  const workspace = await workspaceFor(path);
  const token = await tokenFor(workspace, "linus");
  const { first, request: given = await exampleIn(workspace, path, example) } = CHANGING.get(path) ?? {};
  if (first) await workspace.uncheckedResult(...first);
  const { cursor } = await workspace.data(EVENTS, { organizationId });
  await workspace.call(path, { ...Object(given), unknownField: 1 });
  expect(await eventsAfter(workspace, cursor)).toEqual([]);
  expect(await workspace.call(path, given)).toMatchObject(expectedSuccess(operation));
  const [ofBackend, ofUser] = [await eventsAfter(workspace, cursor), await eventsAfter(workspace, cursor, token)];
  const { backend, user = backend } = EXPECTED.get(path) ?? forAll();
  expect(ofBackend.map(({ event }) => event)).toEqual(backend);
  expect(ofUser.map(({ event }) => event)).toEqual(user);
  for (const [events, as] of [
    [ofBackend, undefined],
    [ofUser, token],
  ] as const) {
    for (const event of events) {
      const hasRecord = !/\.delete$|^access\.|^crdt\.versions_update$/.test(event.event);
      expect(event.record !== undefined, event.event).toBe(hasRecord);
      const record = hasRecord ? await readRecord(workspace, event, as) : undefined;
      if (record !== undefined) expect(event.record, event.event).toEqual(record);
    }
  }
});

test("no operation writes events when its handler rejects it", async () => {
  const workspace = await filledWorkspace(service);
  await workspace.data(EVENTS, { organizationId });
  const key = organizationKey(workspace.id, organizationId);
  const position = () =>
    runSql(service.database, "select position from event_positions where organization_key = $1", [key]);
  const given = operations.filter(({ path }) => EXPECTED.has(path));
  const before = await position();
  // No job knows of this deletion.
  await runSql(service.database, "update organizations set deleted_at = now() where organization_key = $1", [key]);
  for (const { path, example } of given) {
    const { body } = await workspace.call(path, await exampleIn(workspace, path, example));
    const error = { error: { details: { reason: "organization_being_deleted" } } };
    // An organization that cannot be updated fails alone.
    const failedAlone = { result: { data: { [organizationId]: { success: false } } } };
    expect(body, path).toMatchObject(path === "/v2/organizations/update" ? failedAlone : error);
    expect(await position(), path).toEqual(before);
  }
});

test("each operation in the table exists", () => {
  const paths = new Set<string>(operations.map(({ path }) => path));
  expect([...EXPECTED.keys()].filter((path) => !paths.has(path))).toEqual([]);
});
