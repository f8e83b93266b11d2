import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { addFolders } from "../../../test/folders.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { DOCUMENTS, deleteRecords, readPages, setDisabled, USERS, writeRecords } from "../../../test/organizations.ts";
import { grant } from "../../../test/permissions.ts";
import type { Api } from "../../operations.ts";

const GET = "/v2/users/documents/get";
const ORGANIZATION = { organizationId: "acme" };
const ADA = { userId: "ada" };
const service = await startTestService();

function read(workspace: TestWorkspace, filters: Partial<Api[typeof GET]["request"]> = {}) {
  return workspace.data(GET, { ...ORGANIZATION, ...filters });
}

/** Reads the documents in which a user is involved, each with whether the user has a permission on it. */
async function involvedIn(workspace: TestWorkspace, userId: string): Promise<Record<string, unknown>> {
  const [user] = await read(workspace, { userIds: [userId], includeInvolvedDocuments: true });
  return Object.fromEntries(
    (user?.documents ?? []).map(({ documentId, accessRole, isInvolved }) => [documentId, { accessRole, isInvolved }]),
  );
}

test("users are returned with their profiles and the documents on which they have permissions", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, DOCUMENTS, "add", [{ documentId: "a", documentName: "Contract\0 \ud800" }]);
  await writeRecords(workspace, USERS, "add", [{ userId: "ada", name: "Ada", plan: { seats: 3 } }]);
  await grant(workspace, "ada", "document a", "viewer", { expiresAt: 1_893_456_000 });
  await grant(workspace, "ada", "document b", "editor");
  await grant(workspace, "grace", "document a", "editor");
  expect(await read(workspace)).toEqual([
    {
      ...{ userId: "ada", name: "Ada", initial: "A", plan: { seats: 3 } },
      documents: [
        { documentId: "a", documentName: "Contract\0 \ud800", accessRole: "viewer", expiresAt: 1_893_456_000 },
        { documentId: "b", documentName: "", accessRole: "editor" },
      ],
    },
    {
      userId: "grace",
      documents: [{ documentId: "a", documentName: "Contract\0 \ud800", accessRole: "editor" }],
    },
  ]);
});

test("only the users named are returned, and users without documents are left out", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, USERS, "add", ["alan"]);
  for (const userId of ["ada", "grace"]) await grant(workspace, userId, "document a");
  const users = await read(workspace, { userIds: ["grace", "alan", "unknown"] });
  expect(users.map(({ userId }) => userId)).toEqual(["grace"]);
});

test("expired permissions, those on folders and the organization, and deleted documents do not count", async () => {
  const workspace = await service.workspace();
  await addFolders(workspace, [{ folderId: "f" }]);
  await writeRecords(workspace, DOCUMENTS, "add", ["in-folder"], { folderId: "f" });
  await grant(workspace, "ada", "folder f");
  await grant(workspace, "ada", "organization");
  await grant(workspace, "ada", "document expired", "editor", { expiresAt: 1 });
  await grant(workspace, "ada", "document deleted");
  await grant(workspace, "ada", "document elsewhere", "editor", { organizationId: "globex" });
  await deleteRecords(workspace, DOCUMENTS, ["deleted"]);
  expect(await read(workspace)).toEqual([]);
});

test("documents are those of this workspace alone", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await grant(theirs, "ada", "document a");
  expect(await read(mine)).toEqual([]);
});

test("users are involved in documents in which they write, record, react, act or are mentioned", async () => {
  const workspace = await service.workspace();
  const from = { userId: "grace" };
  const inDocument = (documentId: string) => ({ ...ORGANIZATION, documentId });
  const startThread = (documentId: string, comment: object) =>
    workspace.uncheckedResult("/v2/commentannotations/add", {
      ...inDocument(documentId),
      commentAnnotations: [{ annotationId: documentId, commentData: [{ commentText: "Hello", from, ...comment }] }],
    });
  await addActivities(workspace, [{ actionUser: ADA }], inDocument("active"));
  await startThread("comment", { from: ADA });
  await startThread("mention", { taggedUserContacts: [{ text: "@Ada", userId: "ada", contact: ADA }] });
  await startThread("reply", {});
  await workspace.uncheckedResult("/v2/commentannotations/comments/add", {
    ...inDocument("reply"),
    annotationId: "reply",
    commentData: [{ commentText: "Yes", from: ADA }],
  });
  await startThread("reaction", { commentId: 1 });
  const reaction = { annotationId: "reaction", commentId: 1, reaction: "👍", from: ADA };
  await workspace.uncheckedResult("/v2/reactions/add", { ...inDocument("reaction"), ...reaction });
  await startThread("of others", {});
  await workspace.uncheckedResult("/v2/notifications/add", {
    ...inDocument("notification"),
    ...{ actionUser: ADA, notifyUsers: [from], displayHeadlineMessageTemplate: "x", displayBodyMessage: "y" },
  });
  const recordings = [{ annotationId: "r", from: ADA, type: "recorder" as const, displayName: "A recording" }];
  await workspace.uncheckedResult("/v2/recordings/add", { ...inDocument("recording"), recordings });
  await grant(workspace, "ada", "document comment", "viewer");
  await grant(workspace, "ada", "document granted", "editor");
  const involved = { accessRole: undefined, isInvolved: true };
  expect(await involvedIn(workspace, "ada")).toEqual({
    ...{ active: involved, mention: involved, notification: involved, reaction: involved, recording: involved },
    ...{ reply: involved, comment: { accessRole: "viewer", isInvolved: true } },
    granted: { accessRole: "editor", isInvolved: false },
  });
  const [user] = await read(workspace, { userIds: ["ada"] });
  expect(user?.documents.map(({ documentId }) => documentId)).toEqual(["comment", "granted"]);
});

test("users are not involved in disabled documents", async () => {
  const workspace = await service.workspace();
  for (const documentId of ["a", "b", "c"]) {
    await addActivities(workspace, [{ id: documentId, actionUser: ADA }], { ...ORGANIZATION, documentId });
  }
  await grant(workspace, "ada", "document b", "viewer");
  const disablestate = { ...ORGANIZATION, documentIds: ["a", "b"], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", disablestate);
  expect(await involvedIn(workspace, "ada")).toEqual({
    ...{ b: { accessRole: "viewer", isInvolved: false }, c: { accessRole: undefined, isInvolved: true } },
  });
});

test("a disabled organization returns permissions, and does not say who is involved", async () => {
  const workspace = await service.workspace();
  await grant(workspace, "ada", "document a", "viewer");
  await setDisabled(workspace, true);
  expect(await read(workspace)).toHaveLength(1);
  const request = { ...ORGANIZATION, userIds: ["ada"], includeInvolvedDocuments: true };
  expect((await workspace.error(GET, request)).details).toMatchObject({ reason: "organization_disabled" });
});

test.each([true, false])("pages of any size return each document once, with involved ones: %s", async (isInvolved) => {
  const workspace = await service.workspace();
  for (const userId of ["ada", "grace"]) {
    for (const id of ["a", "b", "c"]) await grant(workspace, userId, `document ${id}`);
  }
  await grant(workspace, "alan", "document b");
  const userIds = ["ada", "alan", "grace"];
  const request = { ...ORGANIZATION, userIds, includeInvolvedDocuments: isInvolved };
  for (const pageSize of [1, 2, 5, 7]) {
    const pages = await readPages(workspace, GET, { ...request, pageSize });
    const pairs = pages.flat().flatMap(({ userId, documents }) => documents.map((each) => [userId, each.documentId]));
    expect(pairs).toEqual([
      ...["a", "b", "c"].map((id) => ["ada", id]),
      ["alan", "b"],
      ...["a", "b", "c"].map((id) => ["grace", id]),
    ]);
    expect(pages).toHaveLength(Math.ceil(7 / pageSize));
  }
});

test.each([
  [{ userIds: Array.from({ length: 21 }, (_, index) => `user-${index}`) }, "must have at most 20 items"],
  [
    { userIds: ["a", "b", "c", "d", "e", "f"], includeInvolvedDocuments: true },
    "must have 1 to 5 items with includeInvolvedDocuments",
  ],
  [{ includeInvolvedDocuments: true }, "must have 1 to 5 items with includeInvolvedDocuments"],
])("the filters %j are INVALID_ARGUMENT", async (filters, message) => {
  const workspace = await service.workspace();
  const error = await workspace.error(GET, { ...ORGANIZATION, ...filters });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: `data.userIds ${message}` });
});
