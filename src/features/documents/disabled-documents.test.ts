import { describe, expect, test } from "vitest";
import { addAnnotations, readAnnotationIds } from "../../../test/comments.ts";
import { activity, addActivities, readActivityIds } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readInbox } from "../../../test/notifications.ts";
import { grant } from "../../../test/permissions.ts";
import { addRecordings, readRecordingIds } from "../../../test/recordings.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { operations } from "../../operations.ts";

const PATH = "/v2/organizations/documents/access/disablestate/update";
const service = await startTestService();
const second = await service.secondProcess();

/** Operations on the data of documents that they name. Others manage documents, users and access. */
const dataOperations = operations.flatMap(({ path, request, example }) => {
  const { documentId, documentIds } = Object(request).properties ?? {};
  if ((!documentId && !documentIds) || /^\/v\d\/(organizations|users|auth)\//.test(path)) return [];
  const named = documentId ? { documentId: "closed" } : { documentIds: ["open", "closed"] };
  return [{ path, request: { ...Object(example), ...named, organizationId: "acme" } }];
});

function setDisabled(workspace: TestWorkspace, disabled: boolean, documentIds = ["closed"]) {
  return workspace.data(PATH, { organizationId: "acme", documentIds, disabled });
}

/** Returns a workspace with a record of each kind in the document `closed`, which is disabled, and in `open`. */
async function closedAndOpen(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const documentId of ["closed", "open"]) {
    const scope = { documentId };
    await addActivities(workspace, [{ id: `activity-${documentId}`, targetEntityId: "clause-3" }], scope);
    await addRecordings(workspace, [`recording-${documentId}`], scope);
    await addNotification(workspace, `notification-${documentId}`, scope);
    await addAnnotations(workspace, [`annotation-${documentId}`], scope);
  }
  await setDisabled(workspace, true);
  return workspace;
}

test("more than 20 operations name documents", () => {
  expect(dataOperations.length).toBeGreaterThan(20);
});

describe.each(dataOperations)("$path", ({ path, request }) => {
  test("a disabled document is PERMISSION_DENIED on every process, and works once it is enabled", async () => {
    const workspace = await service.publicWorkspace();
    const other = workspace.at(second.address);
    expect((await workspace.call(path, request)).httpStatus).not.toBe(403);
    await setDisabled(workspace, true);
    for (const caller of [other, workspace]) {
      const error = await caller.error(path, request);
      const details = { reason: "document_disabled", organizationId: "acme", documentId: "closed" };
      expect(error).toMatchObject({ httpStatus: 403, message: expect.stringContaining('"closed"'), details });
    }
    await setDisabled(workspace, false);
    for (const caller of [other, workspace]) expect((await caller.call(path, request)).httpStatus).not.toBe(403);
  });
});

test("a user token gets the error of a disabled document, whether the user may read it or not", async () => {
  const workspace = await closedAndOpen();
  await grant(workspace, "ada", "document closed", "viewer");
  for (const userId of ["ada", "grace"]) {
    const token = await tokenFor(workspace, userId);
    const request = { organizationId: "acme", documentId: "closed" };
    for (const { address } of [service, second]) {
      const { body } = await callWith(token, `${address}/v2/activities/get`, request);
      expect(body).toMatchObject({
        error: { details: { reason: "document_disabled", organizationId: "acme", documentId: "closed" } },
      });
    }
  }
});

test("a missing document is created disabled", async () => {
  const workspace = await service.publicWorkspace();
  expect(await setDisabled(workspace, true, ["new", "new"])).toEqual({
    new: { success: true, message: "Document disabled.", disabled: true },
  });
  const documents = await workspace.data("/v2/organizations/documents/get", { organizationId: "acme" });
  expect(documents).toMatchObject([{ id: "new", disabled: true }]);
});

test("lists over an organization leave out the records of a disabled document", async () => {
  const workspace = await closedAndOpen();
  expect(await readActivityIds(workspace, { documentId: undefined })).toEqual(["activity-open"]);
  const filters = { documentId: undefined, targetEntityId: "clause-3", userId: "ada" };
  expect(await readActivityIds(workspace, filters)).toEqual(["activity-open"]);
  expect(await readRecordingIds(workspace, { documentId: undefined })).toEqual(["recording-open"]);
  expect(await readAnnotationIds(workspace, { documentId: undefined })).toEqual(["annotation-open"]);
  expect(await readInbox(workspace, "grace")).toEqual(["notification-open"]);
  const count = { organizationId: "acme", userIds: ["grace"] };
  expect(await workspace.data("/v2/notifications/count/get", count)).toEqual({ grace: { total: 1, unread: 1 } });
  const newest = await workspace.data("/v2/workspace/activities/get", {});
  expect(newest.map(({ id }) => id)).toEqual(["activity-open"]);
  const { activitiesPerDay } = await workspace.data("/v2/workspace/overview/get", { days: 1 });
  expect(activitiesPerDay).toMatchObject([{ total: 1 }]);
});

test("to an operation that names records by ID, those of a disabled document do not exist", async () => {
  const workspace = await closedAndOpen();
  const acme = { organizationId: "acme" };
  const updates = [
    await workspace.data("/v2/activities/update", {
      ...acme,
      activities: [{ id: "activity-closed", actionIcon: null }],
    }),
    await workspace.data("/v2/activities/delete", { ...acme, activityIds: ["activity-closed"] }),
    await workspace.data("/v2/recordings/update", {
      ...acme,
      recordings: [{ annotationId: "recording-closed", displayName: "Changed" }],
    }),
    await workspace.data("/v2/recordings/delete", { ...acme, recordingIds: ["recording-closed"] }),
    await workspace.data("/v2/notifications/delete", {
      ...acme,
      userId: "grace",
      notificationIds: ["notification-closed"],
    }),
  ];
  for (const results of updates) expect(Object.values(results)).toMatchObject([{ success: false }]);
  await setDisabled(workspace, false);
  expect(await readActivityIds(workspace, { documentId: "closed" })).toEqual(["activity-closed"]);
  expect(await readRecordingIds(workspace, { documentId: "closed" })).toEqual(["recording-closed"]);
  expect(await readInbox(workspace, "grace", { documentId: "closed" })).toEqual(["notification-closed"]);
});

test("reading a whole inbox leaves notifications of a disabled document unread", async () => {
  const workspace = await closedAndOpen();
  const request = { organizationId: "acme", userId: "grace" };
  expect(await workspace.data("/v2/notifications/read", request)).toMatchObject({ readCount: 1 });
  await setDisabled(workspace, false);
  expect(await readInbox(workspace, "grace")).toEqual(["notification-closed"]);
});

test("a record of a disabled document is not overwritten through another document", async () => {
  const workspace = await closedAndOpen();
  const details = { reason: "document_disabled", documentId: "closed" };
  const scope = { organizationId: "acme", documentId: "open" };
  const activities = [activity({ id: "activity-closed" })];
  const recordings = [{ annotationId: "recording-closed", displayName: "Changed" }];
  expect(await workspace.error("/v2/activities/add", { ...scope, activities })).toMatchObject({ details });
  expect(await workspace.error("/v2/recordings/add", { ...scope, recordings })).toMatchObject({ details });
  await setDisabled(workspace, false);
  expect(await readActivityIds(workspace, { documentId: "closed" })).toEqual(["activity-closed"]);
});

test("a disabled document can be read, changed, moved and deleted", async () => {
  const workspace = await closedAndOpen();
  const acme = { organizationId: "acme" };
  const scope = { ...acme, documentIds: ["closed"] };
  await workspace.data("/v2/organizations/documents/update", {
    ...acme,
    documents: [{ documentId: "closed", documentName: "Closed" }],
  });
  await workspace.data("/v2/organizations/documents/move", { ...scope, folderId: "root" });
  await workspace.data("/v2/organizations/documents/access/update", { ...scope, accessType: "restricted" });
  expect(await workspace.data("/v2/organizations/documents/get", scope)).toMatchObject([
    { id: "closed", disabled: true, documentName: "Closed", accessType: "restricted" },
  ]);
  const results = await workspace.data("/v2/organizations/documents/delete", scope);
  expect(results).toMatchObject({ closed: { success: true } });
});

test("a user's data in a disabled document is exported and deleted", async () => {
  const workspace = await closedAndOpen();
  const request = { organizationId: "acme", userId: "ada" };
  const before = await workspace.data("/v2/users/data/get", request);
  expect(before.activities).toHaveLength(2);
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect((await workspace.data("/v2/users/data/get", request)).activities).toEqual([]);
});
