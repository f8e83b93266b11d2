import { expect, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { openEventStream } from "../../../test/event-streams.ts";
import { eventually } from "../../../test/eventually.ts";
import { activity, addActivities, copyActivity, readActivities, readActivityIds } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { readGroups, readRecordIds, setDisabled, USERS, writeRecords } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import {
  deleteUserData,
  deleteUserDataAndWait,
  findRowsContaining,
  readStatus,
  untilDeletionDone,
} from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { PURGED_OR_EXPORTED_KINDS } from "./kinds.ts";

const service = await startOwnTestService();
const ADA = { userId: "ada-7f3k", name: "Ada Lovelace", email: "Ada.Lovelace@person.example" };
const BOB = { userId: "bob-22xx", name: "Bob", email: "bob@person.example" };
/** Texts that no row may contain after the deletion. */
const TRACES = [ADA.userId, ADA.email, ADA.email.toLowerCase()];
const PLACE = { organizationId: "acme", documentId: "contract-7" };

/** Writes records of every kind by or about `who`, and records of `other`, in the organization. */
async function fill(workspace: TestWorkspace, organizationId: string, who = ADA, other = BOB): Promise<void> {
  const place = { ...PLACE, organizationId };
  await writeRecords(workspace, USERS, "add", [who, { ...other, managerId: who.userId }], place);
  await addToLegal(workspace, organizationId, [who.userId, other.userId]);
  await workspace.data("/v2/presence/add", { ...place, users: [who, other] });
  for (const [index, [by, about]] of [[who, other] as const, [other, who] as const].entries()) {
    const activities = [activity({ id: `by-${index}`, actionUser: by, ...mentioning(about) })];
    await workspace.data("/v2/activities/add", { ...place, activities });
    const recording = { annotationId: `by-${index}`, from: by, displayName: `Call with @${about.userId}` };
    await workspace.data("/v2/recordings/add", { ...place, recordings: [recording] });
    await workspace.data("/v2/notifications/add", {
      ...place,
      notificationId: `by-${index}`,
      actionUser: by,
      notifyUsers: [about],
      displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser}",
      displayHeadlineMessageTemplateData: { actionUser: by, recipientUser: about },
      displayBodyMessage: `${about.email}, please sign`,
    });
  }
  const config = { inbox: "ALL", email: "NONE" } as const;
  await workspace.data("/v2/notifications/config/set", { organizationId, userIds: [who.userId, other.userId], config });
  await workspace.data("/v2/organizations/documents/update", {
    organizationId,
    documents: [{ documentId: place.documentId, ownerId: who.userId, title: "Contract" }],
  });
  await workspace.data("/v2/organizations/update", {
    organizations: [{ organizationId, contact: { id: who.userId, email: who.email }, town: "Basel" }],
  });
}

function addToLegal(workspace: TestWorkspace, organizationId: string, userIds: string[]) {
  const request = { organizationId, organizationUserGroupId: "legal", userIds };
  return workspace.data("/v2/organizations/usergroups/users/add", request);
}

function mentioning({ userId, name, email }: typeof ADA) {
  return {
    targetEntityId: userId,
    changes: { assignee: { from: userId, to: "carol" }, [userId]: { from: 1, to: 2 } },
    entityData: {
      watchers: [userId, "carol", { userId, email, name, photoUrl: `https://x/${userId}` }],
      html: `<${email}>`,
    },
    entityTargetData: userId,
    displayMessageTemplate: `{{user}} asked @${userId} (${email}) about user "${userId}"`,
    displayMessageTemplateData: { user: { userId, name }, ["__proto__"]: { id: userId, email }, odd: "\u0000\ud800" },
  };
}

test("no table contains the deleted users, and the data of other users stays", async () => {
  const workspace = await service.workspace();
  await fill(workspace, "acme");
  await fill(workspace, "umbrella");
  const text = { ...PLACE, editorId: "clause-3", type: "text", data: "Thirty days." } as const;
  await workspace.data("/v2/crdt/add", { ...text, userId: ADA.userId });
  expect(await findRowsContaining(service.database, TRACES)).not.toEqual([]);
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(await findRowsContaining(service.database, TRACES)).toEqual([]);
  expect(receipt?.filter(({ organizationId }) => organizationId === "umbrella")).toEqual([
    { organizationId: "umbrella", kind: "activities", deleted: 1, stripped: 1 },
    { organizationId: "umbrella", kind: "documents", deleted: 0, stripped: 1 },
    { organizationId: "umbrella", kind: "notificationConfigs", deleted: 1, stripped: 0 },
    { organizationId: "umbrella", kind: "notifications", deleted: 1, stripped: 1 },
    { organizationId: "umbrella", kind: "organizations", deleted: 0, stripped: 1 },
    { organizationId: "umbrella", kind: "permissions", deleted: 2, stripped: 0 },
    { organizationId: "umbrella", kind: "presence", deleted: 1, stripped: 0 },
    { organizationId: "umbrella", kind: "receivedNotifications", deleted: 1, stripped: 0 },
    { organizationId: "umbrella", kind: "recordings", deleted: 1, stripped: 1 },
    { organizationId: "umbrella", kind: "userGroups", deleted: 1, stripped: 0 },
    { organizationId: "umbrella", kind: "users", deleted: 1, stripped: 1 },
  ]);
  const [left] = await readActivities(workspace);
  expect(left).toEqual({
    timestamp: expect.any(Number),
    id: "by-1",
    featureType: "comment",
    actionType: "comment.add",
    actionUser: BOB,
    targetEntityId: "[deleted]",
    changes: { assignee: { to: "carol" } },
    entityData: { watchers: ["carol", { name: ADA.name }], html: "<[deleted]>" },
    displayMessageTemplate: '{{user}} asked [deleted] ([deleted]) about user "[deleted]"',
    displayMessageTemplateData: { user: { name: ADA.name }, ["__proto__"]: {}, odd: "\u0000\ud800" },
    metadata: { apiKey: workspace.apiKey, ...PLACE },
  });
  expect(await readActivities(workspace, { targetEntityId: ADA.userId })).toEqual([]);
  expect(await readRecordIds(workspace, USERS)).toEqual([BOB.userId]);
  expect(await readGroups(workspace)).toEqual({ legal: [BOB.userId] });
});

test("each organization that had records of the users has an event, which readers of a document get", async () => {
  const workspace = await service.workspace();
  await fill(workspace, "acme");
  await addActivities(workspace, ["of-others"], { organizationId: "empty" });
  const read = async (organizationId: string, cursor?: string) =>
    workspace.data("/v2/events/get", { organizationId, ...(cursor && { cursor }) });
  const [acme, empty] = [await read("acme"), await read("empty")];
  const token = await tokenFor(workspace, BOB.userId);
  const documentIds = PLACE.documentId;
  const stream = await openEventStream(workspace, service.address, {
    ...{ query: { documentIds }, headers: { authorization: `Bearer ${token}` } },
  });
  const { jobId } = await deleteUserData(workspace, [ADA.userId]);
  await untilDeletionDone(workspace, jobId);
  await eventually(() => expect(stream.events()).toContainEqual(["user_data.deleted", { jobId }]));
  const request = { organizationId: "acme", documentIds: [documentIds], cursor: acme.cursor };
  const { body } = await callWith(token, `${service.address}/v2/events/get`, request);
  expect(Object(body).result.data.events).toMatchObject([{ event: "user_data.deleted", subject: { jobId } }]);
  expect((await read("acme", acme.cursor)).events).toMatchObject([{ event: "user_data.deleted", subject: { jobId } }]);
  expect((await read("empty", empty.cursor)).events).toEqual([]);
});

test("only the given organizations of the caller's workspace are processed", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await Promise.all([
    addActivities(workspace, [{ id: "a", actionUser: ADA }]),
    addActivities(other, [{ id: "a", actionUser: ADA }]),
  ]);
  await addActivities(workspace, [{ id: "b", actionUser: ADA }], { organizationId: "umbrella" });
  const { tasksCount } = await deleteUserData(workspace, [ADA.userId], ["missing"]);
  expect(tasksCount).toBe(0);
  await deleteUserDataAndWait(workspace, [ADA.userId], ["acme", "missing"]);
  expect(await readActivityIds(workspace)).toEqual([]);
  expect(await readActivityIds(workspace, { organizationId: "umbrella" })).toEqual(["b"]);
  expect(await readActivityIds(other)).toEqual(["a"]);
});

test("each organization and kind is a task, and tasks of unknown users are done at once", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await addActivities(workspace, ["a"], { organizationId: "umbrella" });
  const { jobId, tasksCount } = await deleteUserData(workspace, ["nobody-1", "nobody-2", "nobody-1"]);
  expect(tasksCount).toBe(2 * PURGED_OR_EXPORTED_KINDS.length);
  const status = await untilDeletionDone(workspace, jobId);
  expect(status).toEqual({
    isDeleteCompleted: true,
    tasksLeft: 0,
    lastTaskCompletedTime: expect.any(Number),
    receipt: [],
  });
  expect(await readActivityIds(workspace)).toEqual(["a"]);
});

test("the status of a running deletion counts the organizations that its stage has searched", async () => {
  const workspace = await service.workspace();
  for (const organizationId of ["acme", "beta", "gamma"]) await addActivities(workspace, ["a"], { organizationId });
  const { jobId } = await deleteUserData(workspace, ["nobody"]);
  await untilDeletionDone(workspace, jobId);
  async function progressAt(stage: string, position: string) {
    const update = "update user_data_deletions set stage = $2, position = $3 where id = $1";
    await runSql(service.database, update, [jobId, stage, position]);
    return (await readStatus(workspace, jobId)).progress;
  }
  const organizationsCount = 3;
  expect(await progressAt("finding", "")).toEqual({ stage: "finding", organizationsDone: 0, organizationsCount });
  expect(await progressAt("finding", "beta")).toEqual({ stage: "finding", organizationsDone: 2, organizationsCount });
  expect(await progressAt("purging", "acme")).toEqual({ stage: "purging", organizationsDone: 1, organizationsCount });
  expect(await progressAt("done", "")).toBeUndefined();
});

test("in a workspace without organizations, what belongs to none is deleted", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/email/send-test-mail", { email: `${ADA.userId}@person.example` });
  const { jobId, tasksCount } = await deleteUserData(workspace, [`${ADA.userId}@person.example`]);
  expect(tasksCount).toBe(0);
  await untilDeletionDone(workspace, jobId);
  expect(await workspace.data("/v2/workspace/outbox/get", {})).toEqual([]);
});

test("concurrent repeated calls succeed and count each record once", async () => {
  const workspace = await service.workspace();
  const ids = Array.from({ length: 400 }, (_, number) => ({ id: `${number}`, actionUser: number % 2 ? ADA : BOB }));
  await addActivities(workspace, ids);
  const jobs = await Promise.all([1, 2, 3].map(() => deleteUserData(workspace, [ADA.userId])));
  const statuses = await Promise.all(jobs.map(({ jobId }) => untilDeletionDone(workspace, jobId)));
  const deleted = statuses.flatMap(({ receipt = [] }) => receipt.map(({ deleted }) => deleted));
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(200);
  expect(await readActivityIds(workspace)).toHaveLength(200);
});

test("immutable activities and disabled organizations do not prevent a deletion", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [
    { id: "a", actionUser: ADA },
    { id: "b", ...mentioning(ADA) },
  ]);
  await workspace.data("/v2/workspace/activityconfig/update", { activityServiceConfig: { immutable: true } });
  await setDisabled(workspace, true);
  await deleteUserDataAndWait(workspace, [ADA.userId]);
  await setDisabled(workspace, false);
  expect(await readActivityIds(workspace)).toEqual(["b"]);
});

test("an address that only the user's own activities contain is removed regardless of case", async () => {
  const workspace = await service.workspace();
  const note = "ask eve@x.example or EVE@X.EXAMPLE";
  await addActivities(workspace, [
    { id: "own", actionUser: { userId: "eve-1", email: "eve@x.example" } },
    { id: "bobs", actionUser: BOB, entityData: { note, to: "Eve@X.example" } },
    { id: "capitals", actionUser: BOB, entityData: { note: "only EVE@X.EXAMPLE" } },
  ]);
  await deleteUserDataAndWait(workspace, ["eve-1"]);
  const left = await readActivities(workspace, { order: "asc" });
  expect(left.map(({ entityData }) => entityData)).toEqual([
    { note: "ask [deleted] or [deleted]" },
    { note: "only [deleted]" },
  ]);
});

test("one call can delete a hundred users", async () => {
  const workspace = await service.workspace();
  const users = Array.from({ length: 100 }, (_, number) => `person-${number}-x`);
  await addActivities(
    workspace,
    users.map((userId) => ({ id: userId, actionUser: { userId } })),
  );
  await addActivities(workspace, [
    { id: "all", actionUser: BOB, entityData: users },
    { id: "another", actionUser: BOB, entityData: ["person-1000-x", "person-1-xy", "my person-1-x-2"] },
  ]);
  await deleteUserDataAndWait(workspace, users);
  const left = await readActivities(workspace, { order: "asc" });
  expect(left.map(({ id, entityData }) => [id, entityData])).toEqual([
    ["all", []],
    ["another", ["person-1000-x", "person-1-xy", "my person-1-x-2"]],
  ]);
});

test("more records of one timestamp than a step takes do not prevent a deletion", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, [
    { id: "a", actionUser: ADA },
    { id: "b", entityData: ADA.email },
  ]);
  await copyActivity(service.database, organizationKey(workspace.id, "acme"), "a", 4_500);
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(receipt).toEqual([{ organizationId: "acme", kind: "activities", deleted: 4_501, stripped: 1 }]);
});

test("data written after the response stays, even under the same IDs", async () => {
  const workspace = await service.workspace();
  await fill(workspace, "acme");
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, [ADA.userId]);
    await fill(workspace, "acme");
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect((await readActivityIds(workspace)).sort()).toEqual(["by-0", "by-1"]);
  expect(await readRecordIds(workspace, USERS)).toEqual([ADA.userId, BOB.userId]);
  expect(await readGroups(workspace)).toEqual({ legal: [ADA.userId, BOB.userId] });
  expect(await workspace.data("/v2/recordings/get", PLACE)).toHaveLength(2);
  expect(await workspace.data("/v2/notifications/get", PLACE)).toHaveLength(2);
});

test("a job of another workspace is indistinguishable from an unknown one", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  const { jobId } = await deleteUserData(workspace, ["nobody"]);
  const path = "/v2/users/data/delete/status";
  const unknown = await workspace.error(path, { jobId: "019aa5c4-7a11-7b1d-9c3e-2f6a5b8d4e10" });
  expect(unknown).toMatchObject({ status: "NOT_FOUND", httpStatus: 404 });
  expect(await other.error(path, { jobId })).toEqual(unknown);
  expect(await other.error(path, { jobId: "no uuid" })).toEqual(unknown);
});
