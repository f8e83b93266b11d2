import { expect, test } from "vitest";
import { addAnnotations, addComments, comment, readAnnotationIds, readComments } from "../../../test/comments.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, writeRecords } from "../../../test/organizations.ts";
import { grant } from "../../../test/permissions.ts";

const ADD = "/v2/commentannotations/add";
const ADD_COMMENTS = "/v2/commentannotations/comments/add";
const VERIFIED = { ...SCOPE, verifyUserPermissions: true };
const service = await startTestService();

/** Sets the access type of the document; ada is its commenter, grace its viewer, alan has no permission. */
async function workspaceWithAccessType(
  accessType: "public" | "organizationPrivate" | "restricted",
): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await grant(workspace, "ada", `document ${SCOPE.documentId}`, "commenter");
  await grant(workspace, "grace", `document ${SCOPE.documentId}`, "viewer");
  const documents = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId] };
  await workspace.data("/v2/organizations/documents/access/update", { ...documents, accessType });
  return workspace;
}

const by = (...authors: string[]) => authors.map((userId) => comment({ from: { userId } }));

test.each([
  ["public", { ada: true, grace: false, alan: true }],
  ["organizationPrivate", { ada: true, grace: false, alan: false }],
  ["restricted", { ada: true, grace: false, alan: false }],
] as const)("in a %s document, verified comments come only from users who may comment", async (type, mayWrite) => {
  const workspace = await workspaceWithAccessType(type);
  await addAnnotations(workspace, ["a"]);
  for (const [userId, isPermitted] of Object.entries(mayWrite)) {
    const annotation = { annotationId: `by-${userId}`, commentData: by(userId) };
    const added = await workspace.call(ADD, { ...VERIFIED, commentAnnotations: [annotation] });
    expect(added.httpStatus, userId).toBe(isPermitted ? 200 : 403);
    const replied = await workspace.call(ADD_COMMENTS, { ...VERIFIED, annotationId: "a", commentData: by(userId) });
    expect(replied.httpStatus, userId).toBe(isPermitted ? 200 : 403);
  }
  const permitted = Object.entries(mayWrite).flatMap(([userId, isPermitted]) => (isPermitted ? [userId] : []));
  expect(await readAnnotationIds(workspace)).toEqual(["a", ...permitted.map((userId) => `by-${userId}`)]);
  expect((await readComments(workspace)).map(({ from }) => from.userId)).toEqual(["ada", ...permitted]);
});

test("annotations of denied authors fail by ID or index, and the others are written", async () => {
  const workspace = await workspaceWithAccessType("restricted");
  const commentAnnotations = [
    { commentData: by("alan") },
    { annotationId: "of-ada", commentData: by("ada") },
    { annotationId: "of-both", comments: by("ada", "grace") },
    { annotationId: "of-ada-too", comments: by("ada", "ada") },
  ];
  const error = await workspace.error(ADD, { ...VERIFIED, commentAnnotations });
  const denied = { success: false, commentIds: [], message: "A user in a `from` may not comment in the document." };
  expect(error).toMatchObject({ httpStatus: 403, status: "PERMISSION_DENIED" });
  expect(error.details).toEqual({
    reason: "access_denied",
    "__denied:0": { ...denied, annotationId: "__denied:0" },
    "of-ada": { success: true, message: "Annotation added.", annotationId: "of-ada", commentIds: [1] },
    "of-both": { ...denied, annotationId: "of-both" },
    "of-ada-too": { success: true, message: "Annotation added.", annotationId: "of-ada-too", commentIds: [1, 2] },
  });
  expect(await readAnnotationIds(workspace)).toEqual(["of-ada", "of-ada-too"]);
});

test("comments/add writes no comment if one of the authors is denied", async () => {
  const workspace = await workspaceWithAccessType("restricted");
  await addAnnotations(workspace, ["a"]);
  const error = await workspace.error(ADD_COMMENTS, {
    ...VERIFIED,
    annotationId: "a",
    commentData: by("ada", "grace"),
  });
  expect(error).toMatchObject({ status: "PERMISSION_DENIED", details: { reason: "access_denied" } });
  expect(await readComments(workspace)).toHaveLength(1);
});

test("authors are not verified by default", async () => {
  const workspace = await workspaceWithAccessType("restricted");
  await addAnnotations(workspace, [{ annotationId: "a", commentData: by("alan") }]);
  await addComments(workspace, by("grace"));
  expect(await readComments(workspace)).toHaveLength(2);
});

test("an expired permission does not let its user write", async () => {
  const workspace = await workspaceWithAccessType("restricted");
  await grant(workspace, "alan", `document ${SCOPE.documentId}`, "editor", { expiresAt: 1 });
  const commentAnnotations = [{ commentData: by("alan") }];
  expect(await workspace.error(ADD, { ...VERIFIED, commentAnnotations })).toMatchObject({
    status: "PERMISSION_DENIED",
  });
});

test("a document is created if authors may write in it, and only then", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  await grant(workspace, "ada", "organization", "editor");
  await grant(workspace, "grace", "organization", "viewer");
  const add = (documentId: string, author: string) =>
    workspace.call(ADD, { ...VERIFIED, documentId, commentAnnotations: [{ commentData: by(author) }] });
  expect((await add("of-ada", "ada")).httpStatus).toBe(200);
  expect((await add("of-grace", "grace")).httpStatus).toBe(403);
  const documents = await workspace.data("/v2/organizations/documents/get", { organizationId: "acme" });
  expect(documents.map(({ id }) => id)).toEqual(["of-ada"]);
});

test("a disabled document is named as such, although it denies every user", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", [SCOPE.documentId]);
  const documents = { organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId] };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", { ...documents, disabled: true });
  const commentAnnotations = [{ commentData: by("ada") }];
  for (const [path, request] of [
    [ADD, { commentAnnotations }],
    [ADD_COMMENTS, { annotationId: "a", commentData: by("ada") }],
  ] as const) {
    expect((await workspace.error(path, { ...VERIFIED, ...request })).details).toMatchObject({
      reason: "document_disabled",
    });
  }
});
