import { expect, test } from "vitest";
import { beforePurge } from "../../../../test/before-purge.ts";
import {
  ADDED_FIELDS,
  addAnnotations,
  addComments,
  changeAnnotations,
  changeReaction,
  comment,
  countAnnotations,
  type NewComment,
  readAnnotationIds,
  readAnnotations,
  readComments,
} from "../../../../test/comments.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import {
  deleteUserData,
  deleteUserDataAndWait,
  findRowsContaining,
  untilDeletionDone,
} from "../../../../test/user-data.ts";

const service = await startOwnTestService();
const ADA = { userId: "ada-7f3k", name: "Ada Lovelace", email: "Ada.Lovelace@person.example" };
const BOB = { userId: "bob-22xx", name: "Bob" };
/** Texts that no row may contain after the deletion. */
const TRACES = [ADA.userId, ADA.email, ADA.email.toLowerCase()];
const TAGS = { taggedUserContacts: [{ userId: ADA.userId, text: "@Ada", contact: ADA }, { userId: "carol-1" }] };

function by(from: NewComment["from"], fields: Partial<NewComment> = {}) {
  return comment({ from, ...fields });
}

async function fill(workspace: TestWorkspace): Promise<void> {
  const text = `@Ada (@${ADA.userId}, ${ADA.email}), is this right?`;
  await addAnnotations(workspace, [
    { annotationId: "alone", commentData: [by(ADA), by(ADA)] },
    { annotationId: "a", commentData: [by(ADA), by(BOB, { commentText: text, commentHtml: text, ...TAGS })] },
    {
      ...{
        annotationId: "of-bob",
        assignedTo: ADA,
        priority: ADA.userId,
        context: { watchers: [ADA.userId, "carol"] },
      },
      anchor: { selector: `[data-author="${ADA.userId}"]`, quote: { exact: "thirty days" } },
      location: { id: "page-1", locationName: `of ${ADA.email}` },
      commentData: [by(BOB, { commentId: 1 }), by(ADA, { commentId: 7 })],
    },
    { annotationId: "untouched", commentData: [by(BOB)] },
  ]);
  for (const from of [ADA, BOB]) {
    await changeReaction(workspace, "add", { commentId: 2, from });
    await changeReaction(workspace, "add", { annotationId: "of-bob", commentId: 7, from });
  }
  await changeReaction(workspace, "add", { annotationId: "untouched", from: ADA, reaction: ADA.userId });
  await changeAnnotations(workspace, "update", { updatedData: { readByUserIds: [ADA.userId, BOB.userId] } });
}

test("no table contains the deleted user, and text of other users stays as plain text", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(await findRowsContaining(service.database, TRACES)).toEqual([]);
  expect(receipt).toEqual([
    { organizationId: "acme", kind: "commentAnnotations", deleted: 1, stripped: 2 },
    { organizationId: "acme", kind: "commentReads", deleted: 3, stripped: 0 },
    { organizationId: "acme", kind: "comments", deleted: 4, stripped: 1 },
    { organizationId: "acme", kind: "reactions", deleted: 3, stripped: 0 },
  ]);
  const [a, ofBob, untouched] = await readAnnotations(workspace, { order: "asc" });
  expect(a).not.toHaveProperty("from");
  expect(a?.comments).toEqual([
    {
      ...ADDED_FIELDS,
      ...{ commentId: 2, createdAt: expect.any(Number), lastUpdated: expect.any(String), from: BOB },
      commentText: "@Ada ([deleted], [deleted]), is this right?",
      commentHtml: "@Ada ([deleted], [deleted]), is this right?",
      taggedUserContacts: [{ userId: "carol-1" }],
      reactions: [{ reaction: "👍", userIds: [BOB.userId] }],
      reactionAnnotationIds: [expect.any(String)],
      reactionAnnotations: [
        expect.objectContaining({ icon: "👍", fromUsers: [{ lastUpdated: expect.any(Number), from: BOB }] }),
      ],
    },
  ]);
  expect(ofBob).toMatchObject({ from: BOB, assignedTo: null, context: { watchers: ["carol"] } });
  expect(ofBob).toMatchObject({
    location: { id: "page-1", locationName: "of [deleted]" },
    comments: [{ commentId: 1 }],
  });
  expect(ofBob).not.toHaveProperty("priority");
  expect(ofBob?.anchor).toEqual({ selector: '[data-author="[deleted]"]', quote: { exact: "thirty days" } });
  expect(untouched).toMatchObject({ annotationId: "untouched", comments: [{ commentId: 1, reactions: [] }] });
});

test("suggestions, reasons of agents, and reactions of others stay without the deleted user", async () => {
  const workspace = await service.publicWorkspace();
  const reason = { title: `asked @${ADA.userId}`, description: ADA.email, severity: "low" as const, reviewers: [ADA] };
  const agent = { agentSource: "external", agentName: "Checker", agentId: ADA.userId, executionId: ADA.userId, reason };
  const url = `https://app.example.com/?user=${ADA.userId}`;
  const suggestion: object = { newContent: "sixty", approver: ADA.userId, reviewers: [ADA.userId, "carol-1"] };
  await addAnnotations(workspace, [
    { annotationId: "own", commentData: [by(ADA)] },
    {
      annotationId: "a",
      type: "suggestion",
      suggestion,
      commentData: [by(BOB, { agent: { ...agent, url }, metadata: { owner: ADA.userId } })],
    },
  ]);
  const updatedData = { resolvedByUserId: ADA.userId, statusUpdatedByUserId: ADA.userId };
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData });
  const from: typeof BOB & object = { ...BOB, ...{ manager: ADA.userId } };
  await changeReaction(workspace, "add", { from });
  const { receipt } = await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(await findRowsContaining(service.database, TRACES)).toEqual([]);
  expect(receipt).toMatchObject([
    { kind: "commentAnnotations", deleted: 1, stripped: 1 },
    { kind: "comments", deleted: 1, stripped: 1 },
    { kind: "reactions", deleted: 0, stripped: 1 },
  ]);
  const [a] = await readAnnotations(workspace);
  const redacted = { title: "asked [deleted]", severity: "low" };
  expect(a).toMatchObject({ suggestion: { newContent: "sixty", reviewers: ["carol-1"], status: "pending" } });
  for (const field of Object.keys(updatedData)) expect(a).not.toHaveProperty(field);
  expect(a?.agent).toMatchObject({ agentName: "Checker", reason: redacted });
  expect(a?.comments).toMatchObject([{ from: BOB, agent: { reason: redacted }, metadata: {} }]);
  expect(a?.comments[0]?.reactionAnnotations).toMatchObject([{ icon: "👍", fromUsers: [{ from: BOB }] }]);
});

test("participants, mentions and read markers stay correct, and other users can continue the annotations", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  await deleteUserDataAndWait(workspace, [ADA.userId]);
  expect(await readAnnotationIds(workspace, { userIds: [BOB.userId] })).toEqual(["a", "of-bob", "untouched"]);
  expect(await readAnnotationIds(workspace, { userIds: [ADA.userId] })).toEqual([]);
  expect(await readAnnotationIds(workspace, { mentionedUserIds: ["carol-1"] })).toEqual(["a"]);
  expect(await countAnnotations(workspace, BOB.userId)).toEqual({ "contract-7": { total: 3, unread: 0 } });
  expect(await addComments(workspace, [{ from: BOB }], { annotationId: "of-bob" })).toEqual([8]);
  await changeAnnotations(workspace, "update", { annotationIds: ["a"], updatedData: { assignedTo: BOB } });
  expect(await readAnnotationIds(workspace)).toEqual(["a", "of-bob", "untouched"]);
});

test("data written after the response stays, in older annotations and under the same IDs too", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, [ADA.userId]);
    await addComments(workspace, [{ from: ADA, commentId: 30, createdAt: 1 }], { annotationId: "alone" });
    await changeReaction(workspace, "add", { annotationId: "of-bob", from: ADA });
    await addAnnotations(workspace, [{ annotationId: "newer", commentData: [by(ADA)] }]);
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect(await readAnnotationIds(workspace, { userIds: [ADA.userId] })).toEqual(["alone", "newer"]);
  expect(await readComments(workspace, { annotationId: "alone" })).toMatchObject([{ commentId: 30, from: ADA }]);
  const [reacted] = await readComments(workspace, { annotationId: "of-bob" });
  expect(reacted?.reactions).toEqual([{ reaction: "👍", userIds: [ADA.userId] }]);
});

test("many annotations and concurrent comments keep nothing of the deleted user", async () => {
  const workspace = await service.publicWorkspace();
  const eve = { userId: "eve-99zz", email: "eve@person.example" };
  const tags = { taggedUserContacts: [{ userId: eve.userId, contact: eve }] };
  const annotations = Array.from({ length: 500 }, (_, index) => ({ commentData: [by(index % 2 ? eve : BOB, tags)] }));
  await addAnnotations(workspace, annotations);
  await addAnnotations(workspace, [...annotations, { annotationId: "a", commentData: [by(BOB), by(eve)] }].slice(1));
  const { jobId } = await deleteUserData(workspace, [eve.userId]);
  await Promise.all(Array.from({ length: 20 }, () => addComments(workspace, [{ from: BOB }])));
  await untilDeletionDone(workspace, jobId);
  expect(await findRowsContaining(service.database, Object.values(eve))).toEqual([]);
  expect(await readAnnotationIds(workspace)).toHaveLength(500);
  expect(await readComments(workspace)).toHaveLength(21);
});

test("the export has the user's annotations, comments and reactions with their locations", async () => {
  const workspace = await service.publicWorkspace();
  await fill(workspace);
  const request = { organizationId: SCOPE.organizationId, userId: ADA.userId };
  const data = await workspace.data("/v2/users/data/get", request);
  const ids = ["alone", "a"].map((annotationId) => ({ annotationId, from: ADA }));
  expect(data.commentAnnotations).toMatchObject(ids);
  expect(data.commentAnnotations?.[0]).not.toHaveProperty("comments");
  const own = { documentId: SCOPE.documentId, from: ADA };
  const comments = [
    ...[1, 2].map((commentId) => ({ annotationId: "alone", commentId })),
    { annotationId: "a", commentId: 1 },
    { annotationId: "of-bob", commentId: 7 },
  ];
  expect(data.comments).toMatchObject(comments.map((written) => ({ ...own, ...written })));
  expect(data.reactions).toMatchObject([
    { documentId: SCOPE.documentId, annotationId: "a", commentId: 2, reaction: "👍", createdAt: expect.any(Number) },
    { annotationId: "of-bob", commentId: 7 },
    { annotationId: "untouched", commentId: 1, reaction: ADA.userId },
  ]);
});

test("a name that an event took from the user's record is deleted with the user", async () => {
  const workspace = await service.publicWorkspace();
  const name = "Cärol of the records";
  await workspace.data("/v2/users/add", {
    organizationId: SCOPE.organizationId,
    users: [{ userId: "carol-9dk2", name }],
  });
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [by(BOB)] }]);
  const triggers = { triggerActivities: true, triggerNotification: true };
  await addComments(workspace, [by({ userId: "carol-9dk2" }, triggers)]);
  expect(await findRowsContaining(service.database, [name])).not.toEqual([]);
  await deleteUserDataAndWait(workspace, ["carol-9dk2"]);
  expect(await findRowsContaining(service.database, ["carol-9dk2", name])).toEqual([]);
});
