import { describe, expect, test } from "vitest";
import type { AccessRole } from "../../src/contract/end-user.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { addAnnotations, addComments, comment, readAnnotations, readComments } from "../comments.ts";
import { getEvents } from "../events.ts";
import { readActivities, SCOPE } from "../factories.ts";
import { startOwnTestService, type TestWorkspace } from "../harness.ts";
import { untilWaiting } from "../lock-waits.ts";
import { grant } from "../permissions.ts";
import { addRecordings, readRecordingIds } from "../recordings.ts";
import { runSql } from "../run-sql.ts";
import { deleteUserDataAndWait } from "../user-data.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const ANNOTATIONS = "/v2/commentannotations";
const COMMENT = { annotationId: "a", commentIds: [1] };
const GRACE = { userId: "grace" };
const TEXT = { updatedData: { commentText: "changed" } };
const RESOLVED = { updatedData: { status: { type: "terminal" } } };
const MISSING = { success: false, id: "a", message: "Annotation not found." };

/** Creates a workspace with the annotation `a` of ada in the document, and the stored roles of its users. */
async function review(roles: { [userId: string]: AccessRole }, fields: object = {}): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addAnnotations(workspace, [{ annotationId: "a", ...fields }]);
  for (const [userId, role] of Object.entries(roles)) await grant(workspace, userId, `document contract-7`, role);
  return workspace;
}

/** Returns a token that grants a role on another document alone, so that stored permissions decide. */
function tokenOf(workspace: TestWorkspace, userId: string): Promise<string> {
  const resources = [{ type: "document" as const, id: "contract-8", organizationId: SCOPE.organizationId }];
  return tokenFor(workspace, userId, { resources });
}

/** Calls as a user. Returns the data of the response, or the details of the error. */
async function callAs(workspace: TestWorkspace, userId: string, path: string, request: object) {
  const url = `${service.address}${path}`;
  const { body } = await callWith(await tokenOf(workspace, userId), url, { ...SCOPE, ...request });
  return Object(body).result?.data ?? Object(body).error.details;
}

describe("a moderator", () => {
  test("is named by a comment that they have changed, until its author changes it", async () => {
    const workspace = await review({ ada: "commenter", grace: "moderator" });
    const getEditors = async () => (await readComments(workspace)).map(({ updatedByUserId }) => updatedByUserId);
    await callAs(workspace, "grace", `${ANNOTATIONS}/comments/update`, { ...COMMENT, ...TEXT });
    expect(await getEditors()).toEqual(["grace"]);
    await callAs(workspace, "ada", `${ANNOTATIONS}/comments/update`, { ...COMMENT, ...TEXT });
    expect(await getEditors()).toEqual([undefined]);
  });

  test("is named by a backend, which names nobody if it gives the comment to another author", async () => {
    const workspace = await review({});
    const update = { ...SCOPE, ...COMMENT, ...TEXT };
    await workspace.data(`${ANNOTATIONS}/comments/update`, { ...update, actionUser: GRACE });
    expect(await readComments(workspace)).toMatchObject([{ updatedByUserId: "grace" }]);
    await workspace.data(`${ANNOTATIONS}/comments/update`, { ...update, updatedData: { from: { userId: "alan" } } });
    const [given] = await readComments(workspace);
    expect([given?.from.userId, given?.updatedByUserId]).toEqual(["alan", undefined]);
  });

  test("is not named any more once their data is deleted", async () => {
    const workspace = await review({ grace: "moderator" });
    await callAs(workspace, "grace", `${ANNOTATIONS}/comments/update`, { ...COMMENT, ...TEXT });
    await deleteUserDataAndWait(workspace, ["grace"]);
    const [changed] = await readComments(workspace);
    expect(changed).toMatchObject({ commentText: "changed", from: { userId: "ada" } });
    expect(JSON.stringify(changed)).not.toContain("grace");
  });

  test.each([
    ["comments/delete", COMMENT, "comment.delete", { targetSubEntityId: "1" }],
    ["delete", { annotationIds: ["a"] }, "comment_annotation.delete", {}],
  ])("tells the feed what they delete by %s, without its text, and the event log", async (path, request, kind, ids) => {
    const workspace = await review({ grace: "moderator" }, { commentData: [comment({ commentText: "an insult" })] });
    await getEvents(workspace);
    await callAs(workspace, "grace", `${ANNOTATIONS}/${path}`, { ...request, triggerActivities: true });
    const activities = await readActivities(workspace);
    expect(activities).toMatchObject([{ actionType: kind, actionUser: GRACE, targetEntityId: "a", ...ids }]);
    expect(JSON.stringify(activities)).not.toContain("an insult");
    const events = await runSql(
      service.database,
      "select user_id from events where organization_key = $1 and kind = $2",
      [organizationKey(workspace.id, SCOPE.organizationId), kind],
    );
    expect(events).toEqual([{ user_id: "grace" }]);
  });

  test("who has lost the role while a deletion waits deletes nothing of others", async () => {
    const workspace = await review({ grace: "moderator" });
    const waiting = await service.database.transaction(async (transaction) => {
      const lock = "select from comment_annotations where organization_key = $1 for update";
      await runSql(transaction, lock, [organizationKey(workspace.id, SCOPE.organizationId)]);
      const responses = callAs(workspace, "grace", `${ANNOTATIONS}/delete`, { annotationIds: ["a"] });
      await untilWaiting(transaction);
      await grant(workspace, "grace", "document contract-7", "commenter");
      return { responses };
    });
    expect(await waiting.responses).toMatchObject({ a: { reason: "access_denied", requiredRole: "moderator" } });
    expect(await readAnnotations(workspace)).toHaveLength(1);
  });

  test("finds no annotation that is hidden from them, of another document or of another organization", async () => {
    const workspace = await review({ grace: "moderator" }, { visibility: { type: "restricted", userIds: ["ada"] } });
    await addAnnotations(workspace, [{ annotationId: "b" }], { documentId: "contract-8" });
    await addAnnotations(workspace, [{ annotationId: "c" }], { organizationId: "globex" });
    for (const [path, request] of [
      ["update", RESOLVED],
      ["update", { updatedData: { visibility: { type: "public" } } }],
      ["delete", {}],
    ] as const) {
      const annotationIds = ["a", "b", "c"];
      const items = await callAs(workspace, "grace", `${ANNOTATIONS}/${path}`, { ...request, annotationIds });
      expect(items).toEqual(Object.fromEntries(annotationIds.map((id) => [id, { ...MISSING, id }])));
    }
    expect(await callAs(workspace, "grace", `${ANNOTATIONS}/comments/update`, { ...COMMENT, ...TEXT })).toEqual({
      "1": { success: false, id: 1, message: "Comment not found." },
    });
  });
});

describe("an annotation that is assigned", () => {
  const assigned = { assignedTo: GRACE };

  test("is resolved and reopened by a viewer, who becomes the one who has resolved it", async () => {
    const workspace = await review({ grace: "viewer" }, assigned);
    await callAs(workspace, "grace", `${ANNOTATIONS}/update`, { annotationIds: ["a"], ...RESOLVED });
    const users = { statusUpdatedByUserId: "grace", resolvedByUserId: "grace" };
    expect(await readAnnotations(workspace)).toMatchObject([{ status: { id: "RESOLVED" }, ...users }]);
    const reopened = { updatedData: { status: { type: "default" } } };
    await callAs(workspace, "grace", `${ANNOTATIONS}/update`, { annotationIds: ["a"], ...reopened });
    const [annotation] = await readAnnotations(workspace);
    expect([annotation?.status.id, annotation?.resolvedByUserId]).toEqual(["OPEN", undefined]);
  });

  test("gives its assignee no other right", async () => {
    const workspace = await review({ grace: "viewer" }, assigned);
    const both = { updatedData: { ...RESOLVED.updatedData, priority: "high" } };
    const items = await callAs(workspace, "grace", `${ANNOTATIONS}/update`, { annotationIds: ["a"], ...both });
    expect(items).toMatchObject({ a: { success: false, reason: "access_denied", requiredRole: "editor" } });
    expect(await readAnnotations(workspace)).toMatchObject([{ status: { id: "OPEN" } }]);
  });

  test("is closed to an assignee without access, and missing for one from whom it is hidden", async () => {
    const workspace = await review({}, { ...assigned, visibility: { type: "restricted", userIds: ["ada"] } });
    const resolve = () => callAs(workspace, "grace", `${ANNOTATIONS}/update`, { annotationIds: ["a"], ...RESOLVED });
    expect(await resolve()).toMatchObject({ reason: "access_denied" });
    await grant(workspace, "grace", "document contract-7", "editor");
    expect(await resolve()).toEqual({ a: MISSING });
  });
});

test("an update and a deletion without IDs change what the user may change, and name the rest", async () => {
  const workspace = await review({ grace: "commenter" });
  const hidden = { visibility: { type: "restricted" as const, userIds: ["ada"] } };
  await addAnnotations(workspace, [
    { annotationId: "b", commentData: [comment({ from: GRACE })] },
    { annotationId: "c", ...hidden },
  ]);
  await addComments(workspace, [{ commentId: 2, from: GRACE }]);
  expect(await callAs(workspace, "grace", `${ANNOTATIONS}/update`, RESOLVED)).toMatchObject({
    a: { success: false, requiredRole: "editor" },
    b: { success: true },
  });
  expect(await callAs(workspace, "grace", `${ANNOTATIONS}/comments/delete`, { annotationId: "a" })).toMatchObject({
    "1": { success: false, requiredRole: "moderator" },
    "2": { success: true },
  });
  const deleted = await callAs(workspace, "grace", `${ANNOTATIONS}/delete`, {});
  expect(Object.keys(deleted)).toEqual(["b", "a"]);
  const left = await readAnnotations(workspace);
  expect(left.map(({ annotationId, status }) => [annotationId, status.id])).toEqual([
    ["c", "OPEN"],
    ["a", "OPEN"],
  ]);
});

test("a deletion of recordings without IDs deletes those of the user, and names the rest", async () => {
  const workspace = await review({ grace: "commenter" });
  await addRecordings(
    workspace,
    ["mine", "theirs"].map((id) => ({ annotationId: id, from: { userId: id } })),
  );
  await workspace.data("/v2/recordings/add", { ...SCOPE, recordings: [{ annotationId: "grace", from: GRACE }] });
  const deleted = await callAs(workspace, "grace", "/v2/recordings/delete", {});
  expect(deleted).toMatchObject({ grace: { success: true }, mine: { success: false, requiredRole: "moderator" } });
  expect((await readRecordingIds(workspace)).sort()).toEqual(["mine", "theirs"]);
});

test("a moderator changes no recording of a document that the request does not name", async () => {
  const workspace = await review({ grace: "moderator" });
  await addRecordings(workspace, ["elsewhere"], { documentId: "contract-8" });
  const recordings = [{ annotationId: "elsewhere", displayName: "changed" }];
  const missing = { elsewhere: { success: false, message: "Recording not found." } };
  expect(await callAs(workspace, "grace", "/v2/recordings/update", { recordings })).toEqual(missing);
  expect(await callAs(workspace, "grace", "/v2/recordings/delete", { recordingIds: ["elsewhere"] })).toEqual(missing);
  expect(await callAs(workspace, "grace", "/v2/recordings/add", { recordings })).toMatchObject({
    reason: "already_exists",
  });
});

test.each([
  [{ documentId: "contract-7" }, "commenter"],
  [{ documentIds: ["contract-7"] }, "commenter"],
  [{ documentIds: ["contract-7", "contract-8"] }, undefined],
])("reading the annotations of one document tells a user their role there: %j", async (named, accessRole) => {
  const workspace = await review({ grace: "commenter" });
  const request = { organizationId: SCOPE.organizationId, ...named };
  const { body } = await callWith(await tokenOf(workspace, "grace"), `${service.address}${ANNOTATIONS}/get`, request);
  expect(Object(body).result.accessRole).toBe(accessRole);
  expect(await workspace.result(`${ANNOTATIONS}/get`, request)).not.toHaveProperty("accessRole");
});
