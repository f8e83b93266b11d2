import { expect, test } from "vitest";
import type { Visibility } from "../../src/features/comments/annotations/visibility.ts";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  changeReaction,
  comment,
  readAnnotations,
} from "../comments.ts";
import { createDelivery, delayNotifications, letPass } from "../delayed-notifications.ts";
import { eventually } from "../eventually.ts";
import { writeExport } from "../exports.ts";
import { SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { runImport, service } from "../imports.ts";
import { allowMails, countMails } from "../mails.ts";
import { callWith, tokenFor } from "../user-tokens.ts";

const deliverDelayed = await createDelivery(service.database);
const ANNOTATIONS = "/v2/commentannotations";
const TO_GRACE: Visibility = { type: "restricted", userIds: ["grace"] };
const { organizationId } = SCOPE;

/** Mentions of the users, with their addresses. */
function tagged(...userIds: string[]) {
  return userIds.map((userId) => ({
    ...{ userId, text: `@${userId}` },
    contact: { userId, email: `${userId}@example.com` },
  }));
}

function hide(workspace: TestWorkspace, annotationId: string) {
  return changeAnnotations(workspace, "update", {
    annotationIds: [annotationId],
    updatedData: { visibility: TO_GRACE },
  });
}

async function call(workspace: TestWorkspace, userId: string, path: string, request: object) {
  const token = await tokenFor(workspace, userId);
  return Object((await callWith(token, `${service.address}${path}`, { ...SCOPE, ...request })).body);
}

test("only users who see an annotation get mails of it", async () => {
  const workspace = await service.publicWorkspace();
  await allowMails(workspace, ["comment_annotation.add", "comment.add"]);
  const commentData = [comment({ taggedUserContacts: tagged("grace", "alan"), triggerNotification: true })];
  await addAnnotations(workspace, [{ annotationId: "a", visibility: TO_GRACE, commentData }]);
  await addComments(workspace, commentData);
  const recipients = async () => (await workspace.data("/v2/workspace/outbox/get", {})).map(({ to }) => to);
  await eventually(async () => {
    expect(await countMails(service.database, workspace)).toBe(0);
    expect(await recipients()).toEqual(Array(2).fill("grace <grace@example.com>"));
  });
});

test("a digest leaves out an annotation that was hidden in the meantime", async () => {
  const workspace = await service.publicWorkspace();
  const document = { isEnabled: true, batchWindowSeconds: 600, maxActivities: 50 };
  await delayNotifications(workspace, { batchConfig: { document } });
  for (const annotationId of ["kept", "hidden", "also kept"]) {
    const fields = { taggedUserContacts: tagged("alan"), commentText: `text of ${annotationId}` };
    await addAnnotations(workspace, [
      { annotationId, commentData: [comment({ ...fields, triggerNotification: true })] },
    ]);
  }
  await hide(workspace, "hidden");
  await letPass(service.database, workspace, 601);
  await deliverDelayed(workspace);
  const inbox = await workspace.data("/v2/notifications/get", { organizationId, userId: "alan" });
  expect(inbox.map(({ notificationSourceData }) => Object(notificationSourceData).activities)).toMatchObject([
    [{ annotationId: "kept" }, { annotationId: "also kept" }],
  ]);
  expect(JSON.stringify(inbox)).not.toContain("text of hidden");
});

test("users change nothing in an annotation that is hidden from them, not even their own comments", async () => {
  const workspace = await service.publicWorkspace();
  await addAnnotations(workspace, ["a"]);
  await addComments(workspace, [{ from: { userId: "alan" } }]);
  await changeReaction(workspace, "add", { commentId: 1, from: { userId: "alan" } });
  await hide(workspace, "a");
  const before = await readAnnotations(workspace);
  const ofComment = { annotationId: "a", commentIds: [1, 2] };
  const updated = { ...ofComment, updatedData: { commentText: "changed" } };
  const reaction = { annotationId: "a", commentId: 1, reaction: "👍" };
  for (const [path, request] of [
    [`${ANNOTATIONS}/comments/update`, updated],
    [`${ANNOTATIONS}/comments/delete`, ofComment],
    ["/v2/reactions/delete", reaction],
    [`${ANNOTATIONS}/update`, { annotationIds: ["a"], updatedData: { priority: { id: "P1" } } }],
    [`${ANNOTATIONS}/delete`, { annotationIds: ["a"] }],
  ] as const) {
    const { result, error } = await call(workspace, "alan", path, request);
    const outcomes = Object.values(Object(result?.data ?? {}));
    expect([error?.status ?? "NOT_FOUND", ...outcomes.filter((item) => Object(item).success)], path).toEqual([
      "NOT_FOUND",
    ]);
  }
  expect(await readAnnotations(workspace)).toEqual(before);
});

test("the export of a user's data has nothing of others in annotations that are hidden from the user", async () => {
  const workspace = await service.publicWorkspace();
  const secret = comment({ commentText: "secret of ada", taggedUserContacts: tagged("alan") });
  await addAnnotations(workspace, [{ annotationId: "a", commentData: [secret] }]);
  await addComments(workspace, [{ from: { userId: "alan" }, commentText: "own words" }]);
  await hide(workspace, "a");
  const exported = JSON.stringify(await workspace.data("/v2/users/data/get", { organizationId, userId: "alan" }));
  expect(exported).toContain("own words");
  expect(exported).not.toContain("secret of ada");
});

test("an annotation that is imported is hidden from the same users", async () => {
  const [source, target] = [await service.publicWorkspace(), await service.publicWorkspace()];
  await addAnnotations(source, [{ annotationId: "a", visibility: TO_GRACE }]);
  const path = await writeExport([{ ...SCOPE, commentAnnotations: await readAnnotations(source) }]);
  expect((await runImport(target, path)).exitCode).toBe(0);
  const count = async (userId: string) => (await call(target, userId, `${ANNOTATIONS}/get`, {})).result.data.length;
  expect([await count("grace"), await count("ada"), await count("alan")]).toEqual([1, 1, 0]);
});
