import { expect, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { addActivities, readActivities, readActivityIds } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readInbox, readNotificationIds } from "../../../test/notifications.ts";
import { DOCUMENTS, deleteRecords, readRecordIds, untilDocumentsPurged } from "../../../test/organizations.ts";
import { deleteUserData, deleteUserDataAndWait, untilDeletionDone } from "../../../test/user-data.ts";

const service = await startOwnTestService();
const LAST_YEAR = Date.now() - 365 * 24 * 60 * 60 * 1000;
const ADA = { userId: "ada-7f3k", email: "ada@person.example" };
const BOB = { userId: "bob-22xx" };

/** Imports records of last year: by ada, mentioning ada, and to ada. */
async function importHistory(workspace: TestWorkspace, prefix: string): Promise<void> {
  const timestamp = LAST_YEAR;
  await addActivities(workspace, [
    { id: `${prefix}-by`, actionUser: ADA, timestamp },
    { id: `${prefix}-about`, actionUser: BOB, entityData: { watchers: [ADA.userId] }, timestamp },
  ]);
  await addNotification(workspace, `${prefix}-by`, { actionUser: ADA, notifyUsers: [BOB], timestamp });
  await addNotification(workspace, `${prefix}-to`, { actionUser: BOB, notifyUsers: [ADA], timestamp });
}

async function watchers(workspace: TestWorkspace, id: string): Promise<unknown> {
  const [record] = await readActivities(workspace, { activityIds: [id] });
  return record?.entityData;
}

test("the deletion of a user's data deletes what was imported before it, with any timestamp", async () => {
  const workspace = await service.publicWorkspace();
  await importHistory(workspace, "old");
  await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(await readActivityIds(workspace)).toEqual(["old-about"]);
  expect(await watchers(workspace, "old-about")).toEqual({ watchers: [] });
  expect(await readNotificationIds(workspace)).toEqual(["old-to"]);
  expect(await readInbox(workspace, ADA.userId)).toEqual([]);
});

test("what is imported after the deletion of a user's data stays, with any timestamp", async () => {
  const workspace = await service.publicWorkspace();
  await importHistory(workspace, "old");
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, [ADA.userId]);
    await importHistory(workspace, "new");
    return accepted;
  });
  const { receipt } = await untilDeletionDone(workspace, jobId);
  expect(receipt).toEqual([
    { organizationId: "acme", kind: "activities", deleted: 1, stripped: 1 },
    { organizationId: "acme", kind: "notifications", deleted: 1, stripped: 1 },
    { organizationId: "acme", kind: "receivedNotifications", deleted: 1, stripped: 0 },
  ]);
  expect((await readActivityIds(workspace)).sort()).toEqual(["new-about", "new-by", "old-about"]);
  expect(await watchers(workspace, "new-about")).toEqual({ watchers: [ADA.userId] });
  expect((await readNotificationIds(workspace)).sort()).toEqual(["new-by", "new-to", "old-to"]);
  expect(await readInbox(workspace, ADA.userId)).toEqual(["new-to"]);
});

test("a record imported again during the deletion of its user stays, with its new timestamp", async () => {
  const workspace = await service.publicWorkspace();
  await importHistory(workspace, "same");
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, [ADA.userId]);
    await addActivities(workspace, [{ id: "same-by", actionUser: ADA, timestamp: LAST_YEAR + 7 }]);
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect(await readActivities(workspace, { activityIds: ["same-by"] })).toMatchObject([{ timestamp: LAST_YEAR + 7 }]);
});

test("a user who becomes a recipient of an earlier notification after the deletion stays one", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "to-both", { actionUser: BOB, notifyUsers: [BOB] });
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, [ADA.userId]);
    await addNotification(workspace, "to-both", { actionUser: BOB, notifyUsers: [BOB, ADA] });
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect(await readInbox(workspace, ADA.userId)).toEqual(["to-both"]);
});

test("deleting a document deletes what was imported before it and keeps what is imported after it", async () => {
  const workspace = await service.publicWorkspace();
  await importHistory(workspace, "old");
  await beforePurge(service, async () => {
    await deleteRecords(workspace, DOCUMENTS, ["contract-7"]);
    expect(await readActivityIds(workspace)).toEqual([]);
    await importHistory(workspace, "new");
  });
  await untilDocumentsPurged(service, workspace);
  expect((await readActivityIds(workspace)).sort()).toEqual(["new-about", "new-by"]);
  expect((await readNotificationIds(workspace)).sort()).toEqual(["new-by", "new-to"]);
  expect(await readInbox(workspace, ADA.userId)).toEqual(["new-to"]);
  expect(await readRecordIds(workspace, DOCUMENTS)).toEqual(["contract-7"]);
});
