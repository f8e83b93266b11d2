import { expect, test } from "vitest";
import {
  addAnnotations,
  changeAnnotations,
  changeComments,
  comment,
  type NewComment,
  readAnnotationIds,
  readComments,
} from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addToGroup } from "../../../test/organizations.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const { organizationId, documentId } = SCOPE;
const ANNOTATIONS = "/v2/commentannotations";
const LEGAL = { groupId: "legal", text: "@Legal" };
const GUEST = { resources: [{ type: "document" as const, id: documentId, organizationId }] };

/** Creates a workspace with a group of ada, grace and alan. */
async function start(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents: [{ documentId }] });
  await addToGroup(workspace, "legal", ["ada", "grace", "alan"]);
  return workspace;
}

function addTagging(workspace: TestWorkspace, fields: Partial<NewComment> = {}, annotation = {}) {
  const tagging = comment({ taggedUserGroups: [LEGAL], triggerNotification: true, ...fields });
  return addAnnotations(workspace, [{ annotationId: "a", commentData: [tagging], ...annotation }]);
}

async function readTags(workspace: TestWorkspace) {
  return (await readComments(workspace)).map(({ taggedUserGroups }) => taggedUserGroups);
}

async function countNotifications(workspace: TestWorkspace, userIds: string[]): Promise<number[]> {
  const counts = await workspace.data("/v2/notifications/count/get", { organizationId, userIds });
  return userIds.map((userId) => counts[userId]?.total ?? 0);
}

test("a comment that tags a group mentions those who are its members then", async () => {
  const workspace = await start();
  const path = "/v2/organizations/usergroups/users/delete";
  await workspace.data(path, { organizationId, organizationUserGroupId: "legal", userIds: ["alan"] });
  await addTagging(workspace);
  await addToGroup(workspace, "legal", ["late"]);
  expect(await readTags(workspace)).toEqual([[{ ...LEGAL, userIds: ["ada", "grace"] }]]);
  expect(await countNotifications(workspace, ["ada", "grace", "alan", "late"])).toEqual([0, 1, 0, 0]);
  const mentioning = async (userId: string) => readAnnotationIds(workspace, { mentionedUserIds: [userId] });
  expect([await mentioning("grace"), await mentioning("alan")]).toEqual([["a"], []]);
});

test("a group of 1,000 members is mentioned, and a larger one rejects the comment", async () => {
  const workspace = await start();
  const userIds = Array.from({ length: 1_001 }, (_, index) => `user-${index}`);
  await addToGroup(workspace, "all", userIds.slice(0, 1_000));
  const taggedUserGroups = [{ groupId: "all" }];
  await addTagging(workspace, { taggedUserGroups });
  const sample = userIds.slice(0, 1_000).filter((_, index) => index % 50 === 0 || index === 999);
  expect(new Set(await countNotifications(workspace, sample))).toEqual(new Set([1]));
  await addToGroup(workspace, "all", userIds.slice(1_000));
  const commentAnnotations = [{ annotationId: "b", commentData: [comment({ taggedUserGroups })] }];
  const { body } = await workspace.call(`${ANNOTATIONS}/add`, { ...SCOPE, commentAnnotations });
  expect(body).toMatchObject({ error: { details: { limit: "mentioned_members" }, status: "FAILED_PRECONDITION" } });
  expect(await readAnnotationIds(workspace)).toEqual(["a"]);
});

test("members who may not see a private annotation are not notified", async () => {
  const workspace = await start();
  await addTagging(workspace, {}, { visibility: { type: "restricted", userIds: ["grace"] } });
  expect(await countNotifications(workspace, ["grace", "alan"])).toEqual([1, 0]);
});

test("a user tags only groups of the organization that they may read, and learns no other members", async () => {
  const [workspace, other] = [await start(), await service.publicWorkspace()];
  await addToGroup(other, "others", ["eve"]);
  await workspace.data("/v2/organizations/usergroups/users/add", {
    ...{ organizationId: "globex", organizationUserGroupId: "others", userIds: ["eve"] },
  });
  const taggedUserGroups = [LEGAL, { groupId: "others" }];
  const add = async (token: string, annotationId: string) => {
    const commentAnnotations = [{ annotationId, commentData: [{ commentText: "@Legal", taggedUserGroups }] }];
    await callWith(token, `${service.address}${ANNOTATIONS}/add`, { ...SCOPE, commentAnnotations });
    return (await workspace.data(`${ANNOTATIONS}/comments/get`, { ...SCOPE, annotationId })).map((each) =>
      each?.taggedUserGroups?.map(({ userIds }) => userIds),
    );
  };
  expect(await add(await tokenFor(workspace, "kurt"), "of-member")).toEqual([[["ada", "alan", "grace"], []]]);
  expect(await add(await tokenFor(workspace, "kurt", GUEST), "of-guest")).toEqual([[[], []]]);
});

test("an update notifies the members of new groups alone, and keeps those whom a user may not read", async () => {
  const workspace = await start();
  await addTagging(workspace, { triggerNotification: false, from: { userId: "kurt" } });
  await addToGroup(workspace, "legal", ["late"]);
  await addToGroup(workspace, "sales", ["late", "emmy"]);
  const update = async (token: string, taggedUserGroups: object[]) => {
    const request = { ...SCOPE, annotationId: "a", commentIds: [1], updatedData: { taggedUserGroups } };
    const url = `${service.address}${ANNOTATIONS}/comments/update`;
    await callWith(token, url, { ...request, triggerNotification: true });
    return (await readTags(workspace))[0];
  };
  const legal = { ...LEGAL, userIds: ["ada", "alan", "grace"] };
  expect(await update(await tokenFor(workspace, "kurt", GUEST), [LEGAL])).toEqual([legal]);
  const sales = { groupId: "sales", userIds: ["emmy", "late"] };
  expect(await update(await tokenFor(workspace, "kurt"), [LEGAL, { groupId: "sales" }])).toEqual([legal, sales]);
  expect(await countNotifications(workspace, ["grace", "emmy", "late"])).toEqual([0, 1, 1]);
  const taggedUserGroups = [LEGAL];
  await changeComments(workspace, "update", { commentIds: [1], updatedData: { taggedUserGroups } });
  expect(await readTags(workspace)).toEqual([[{ ...LEGAL, userIds: ["ada", "alan", "grace", "late"] }]]);
});

test("a replaced and a deleted user are no longer mentioned by the group", async () => {
  const workspace = await start();
  await addTagging(workspace, { from: { userId: "kurt" } });
  const updateUsers = [{ oldUser: { userId: "alan" }, newUser: { userId: "emmy" } }];
  await changeAnnotations(workspace, "update", { updateUsers, updatedData: undefined });
  expect(await readTags(workspace)).toEqual([[{ ...LEGAL, userIds: ["ada", "emmy", "grace"] }]]);
  await deleteUserDataAndWait(workspace, ["grace"]);
  expect(await readTags(workspace)).toEqual([[{ ...LEGAL, userIds: ["ada", "emmy"] }]]);
});
