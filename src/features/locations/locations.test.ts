import { expect, test } from "vitest";
import { addAnnotations, readAnnotationIds, readAnnotations } from "../../../test/comments.ts";
import { DELAY, delayNotifications } from "../../../test/delayed-notifications.ts";
import { startMigration } from "../../../test/document-migrations.ts";
import { eventReader, getEvents } from "../../../test/events.ts";
import { addActivities, SCOPE } from "../../../test/factories.ts";
import { createTestDatabase, post, startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, addUsers, readInbox, readNotifications } from "../../../test/notifications.ts";
import { setDisabled } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { LOCATED_RECORDS } from "./located-records.ts";

const service = await startTestService();
const UPDATE = "/v1/organizations/documents/locations/update";
const DELETE = "/v1/organizations/documents/locations/data/delete";
const OLD = { id: "page-2", locationName: "Page 2", sheet: "a" };
const NEW = { id: "page-3", locationName: "Page 3" };

/** Calls without headers, with the credentials in the body. */
async function call(workspace: TestWorkspace, path: string, request: object, credentials: object = {}) {
  const { apiKey, authToken } = workspace;
  return post(`${service.address}${path}`, { apiKey, authToken, ...SCOPE, ...request, ...credentials });
}

async function succeed(workspace: TestWorkspace, path: string, request: object): Promise<void> {
  const response = await call(workspace, path, request);
  expect(response).toMatchObject({ httpStatus: 200, body: { result: { status: "success", data: null } } });
}

/** Adds records of each kind at the location `page-2`, and others elsewhere. */
async function located(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, [
    { annotationId: "here", location: OLD },
    { annotationId: "there", location: { id: "page-1" } },
    { annotationId: "nowhere" },
  ]);
  await addAnnotations(workspace, [{ annotationId: "other", location: OLD }], { documentId: "other" });
  await addNotification(workspace, "here", { location: OLD });
  await addNotification(workspace, "id-only", { locationId: "page-2" });
  await addNotification(workspace, "nowhere");
  return workspace;
}

/** Reads the locations of annotations and notifications by id. */
async function locationsIn(workspace: TestWorkspace, documentId = SCOPE.documentId) {
  const annotations = await readAnnotations(workspace, { documentId });
  const notifications = await readNotifications(workspace, { documentId });
  return {
    annotations: Object.fromEntries(annotations.map(({ annotationId, location }) => [annotationId, location])),
    notifications: Object.fromEntries(
      notifications.map(({ id, location, metadata }) => [id, [Object(metadata).locationId, location]]),
    ),
  };
}

test("every column of a location belongs to a kind of record that is moved and deleted", async () => {
  const { database } = await createTestDatabase();
  const columns = await runSql<{ name: string }>(
    database,
    `select distinct table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name like 'location%'`,
  );
  const tables = LOCATED_RECORDS.flatMap((records) => records.tables);
  expect(columns.map(({ name }) => name).sort()).toEqual(tables.sort());
});

test("all records at the location get the new one, and others keep theirs", async () => {
  const workspace = await located();
  await succeed(workspace, UPDATE, { migrate: { oldLocation: OLD, newLocation: NEW } });
  expect(await locationsIn(workspace)).toEqual({
    annotations: { here: NEW, there: { id: "page-1" }, nowhere: undefined },
    notifications: { here: ["page-3", NEW], "id-only": ["page-3", NEW], nowhere: [undefined, undefined] },
  });
  expect((await locationsIn(workspace, "other")).annotations).toEqual({ other: OLD });
});

test("records are found by the new location, in inboxes too, and no longer by the old one", async () => {
  const workspace = await located();
  await succeed(workspace, UPDATE, { migrate: { oldLocation: { id: "page-2" }, newLocation: NEW } });
  for (const [locationId, ids] of [["page-2", []] as const, ["page-3", ["here", "id-only"]] as const]) {
    expect((await readInbox(workspace, "grace", { documentId: SCOPE.documentId, locationId })).sort()).toEqual(ids);
    const annotationIds = await readAnnotationIds(workspace, { ...SCOPE, locationIds: [locationId] });
    expect(annotationIds).toEqual(ids.slice(0, 1));
  }
});

test("with merge, the fields are merged into the location that a record has", async () => {
  const workspace = await located();
  await succeed(workspace, UPDATE, { migrate: { oldLocation: OLD, newLocation: NEW }, merge: true });
  const merged = { ...NEW, sheet: "a" };
  const { annotations, notifications } = await locationsIn(workspace);
  expect(annotations.here).toEqual(merged);
  expect(notifications).toMatchObject({ here: ["page-3", merged], "id-only": ["page-3", NEW] });
});

test("moving and deleting what is at a location are events", async () => {
  const workspace = await located();
  const { cursor } = await getEvents(workspace);
  const changes = eventReader(workspace, cursor);
  await succeed(workspace, UPDATE, { migrate: { oldLocation: { id: "page-2" }, newLocation: NEW } });
  expect(await changes()).toEqual([
    ["comment_annotation.update", { annotationId: "here" }],
    ["notification.update", { id: "here" }],
    ["notification.update", { id: "id-only" }],
  ]);
  await succeed(workspace, DELETE, { location: { id: NEW.id } });
  expect(await changes()).toEqual([
    ["comment.delete", { annotationId: "here", commentId: 1 }],
    ["comment_annotation.delete", { annotationId: "here" }],
    ["notification.delete", { id: "here" }],
    ["notification.delete", { id: "id-only" }],
  ]);
});

test("deleting deletes all records at the location, and no others", async () => {
  const workspace = await located();
  await succeed(workspace, DELETE, { location: { id: "page-2" } });
  const { annotations, notifications } = await locationsIn(workspace);
  expect([Object.keys(annotations).sort(), Object.keys(notifications)]).toEqual([["nowhere", "there"], ["nowhere"]]);
  expect(await readInbox(workspace, "grace")).toEqual(["nowhere"]);
  expect(await readAnnotationIds(workspace, { documentId: "other" })).toEqual(["other"]);
});

test("notifications that are delayed are moved and deleted too", async () => {
  const workspace = await service.publicWorkspace();
  await addUsers(workspace, ["grace"]);
  await delayNotifications(workspace, DELAY);
  const commentData = [{ from: { userId: "ada" }, commentText: "@grace", triggerNotification: true }];
  const tagged = [
    { ...commentData[0], from: { userId: "ada" }, taggedUserContacts: [{ userId: "grace", text: "@grace" }] },
  ];
  await addAnnotations(workspace, [
    { annotationId: "a", location: OLD, commentData: tagged },
    { annotationId: "b", location: { id: "page-9" }, commentData: tagged },
  ]);
  const delayedLocations = () =>
    runSql<{ id: string }>(
      service.database,
      `select record ->> 'locationId' as id from delayed_notifications where organization_key = $1 order by 1`,
      [organizationKey(workspace.id, SCOPE.organizationId)],
    );
  expect(await delayedLocations()).toEqual([{ id: "page-2" }, { id: "page-9" }]);
  await succeed(workspace, UPDATE, { migrate: { oldLocation: OLD, newLocation: NEW } });
  expect(await delayedLocations()).toEqual([{ id: "page-3" }, { id: "page-9" }]);
  await succeed(workspace, DELETE, { location: { id: "page-9" } });
  expect(await delayedLocations()).toEqual([{ id: "page-3" }]);
});

test.each([
  [UPDATE, { migrate: { oldLocation: OLD, newLocation: NEW } }],
  [DELETE, { location: OLD }],
])("%s changes nothing for wrong credentials, or without the scope write", async (path, request) => {
  const [workspace, stranger] = [await located(), await service.publicWorkspace()];
  const { authToken: reader } = await workspace.data("/v2/workspace/authtokens/add", { name: "r", scopes: ["read"] });
  const before = await locationsIn(workspace);
  for (const authToken of ["wrong", stranger.authToken, reader]) {
    const { httpStatus, body } = await call(workspace, path, request, { authToken });
    expect({ httpStatus, body }).toMatchObject({ httpStatus: 403, body: { error: { status: "PERMISSION_DENIED" } } });
  }
  expect(await locationsIn(workspace)).toEqual(before);
});

test("without organizationId the document must be in one organization", async () => {
  const workspace = await located();
  const request = { organizationId: undefined, location: { id: "page-2" } };
  for (const documentId of ["unknown", "shared"]) {
    for (const organizationId of ["acme", "globex"]) {
      if (documentId === "shared") await addActivities(workspace, [organizationId], { organizationId, documentId });
    }
    const { httpStatus, body } = await call(workspace, DELETE, { ...request, documentId });
    expect(httpStatus).toBe(400);
    expect(body).toMatchObject({ error: { status: "INVALID_ARGUMENT", message: expect.stringContaining(documentId) } });
  }
  await succeed(workspace, DELETE, request);
  expect(await readAnnotationIds(workspace)).not.toContain("here");
});

test("the data of a disabled organization, or of a document that is being migrated, stays", async () => {
  const workspace = await located();
  await setDisabled(workspace, true);
  expect(await call(workspace, DELETE, { location: OLD })).toMatchObject({ httpStatus: 403 });
  await setDisabled(workspace, false);
  expect(await readAnnotationIds(workspace)).toContain("here");
  const { httpStatus } = await service.database.transaction(async (transaction) => {
    await runSql(transaction, "select 1");
    await startMigration(workspace, SCOPE.documentId, "new");
    return call(workspace, DELETE, { location: OLD });
  });
  expect(httpStatus).toBe(503);
});
