import { expect, test } from "vitest";
import { addAnnotations, addComments, countAnnotations } from "../../../../test/comments.ts";
import { eventReader, getEvents } from "../../../../test/events.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { grant, resourceNamed } from "../../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../../test/user-tokens.ts";
import type { Api } from "../../../operations.ts";

const READ = "/v2/commentannotations/read";
const service = await startTestService();
const DOCUMENT = `document ${SCOPE.documentId}`;

function read(workspace: TestWorkspace, request: Partial<Api[typeof READ]["request"]> = {}) {
  return workspace.data(READ, { ...SCOPE, userId: "grace", ...request });
}

async function countUnread(workspace: TestWorkspace, userId: string): Promise<number | undefined> {
  return (await countAnnotations(workspace, userId))[SCOPE.documentId]?.unread;
}

/** Adds three annotations of ada, in a document that grace may read. */
async function withAnnotations(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addAnnotations(workspace, ["a", "b", "c"]);
  await grant(workspace, "grace", DOCUMENT, "viewer");
  return workspace;
}

/** Calls as grace, a viewer of the document by the token alone. */
async function callAsViewer(workspace: TestWorkspace, request: object) {
  const resources = [{ ...resourceNamed(DOCUMENT), accessRole: "viewer" as const }];
  const token = await tokenFor(workspace, "grace", { resources });
  return callWith(token, `${service.address}${READ}`, { ...SCOPE, ...request });
}

test("marks the annotations that are named, or all of the document, as read until the next comment", async () => {
  const workspace = await withAnnotations();
  await addAnnotations(workspace, ["elsewhere"], { documentId: "contract-8" });
  expect(await read(workspace, { annotationIds: ["a", "missing"] })).toMatchObject({ readCount: 1 });
  expect(await countUnread(workspace, "grace")).toBe(2);
  expect(await read(workspace)).toMatchObject({ readCount: 2 });
  expect(await read(workspace)).toMatchObject({ success: true, readCount: 0 });
  expect(await countUnread(workspace, "grace")).toBe(0);
  await addComments(workspace, [{ from: { userId: "ada" } }], { annotationId: "b" });
  expect(await countUnread(workspace, "grace")).toBe(1);
});

test("a count returns the IDs of unread annotations that the user may see, newest first, if asked", async () => {
  const workspace = await withAnnotations();
  await addAnnotations(workspace, [{ annotationId: "hidden", visibility: { type: "restricted", userIds: ["alan"] } }]);
  await read(workspace, { annotationIds: ["b"] });
  const documentIds = [SCOPE.documentId, "none"];
  const request = { organizationId: SCOPE.organizationId, documentIds, userId: "grace" };
  const count = async (fields = {}) => workspace.data("/v2/commentannotations/count/get", { ...request, ...fields });
  expect((await count())[SCOPE.documentId]).toEqual({ total: 3, unread: 2 });
  expect(await count({ includeUnreadIds: true })).toEqual({
    [SCOPE.documentId]: { total: 3, unread: 2, unreadIds: ["c", "a"] },
    none: { total: 0, unread: 0, unreadIds: [] },
  });
});

test("a viewer marks annotations of others as read with a user token, for nobody else", async () => {
  const workspace = await withAnnotations();
  await grant(workspace, "alan", DOCUMENT, "viewer");
  expect(await callAsViewer(workspace, { annotationIds: ["a"] })).toMatchObject({
    body: { result: { data: { readCount: 1 } } },
  });
  expect(await countUnread(workspace, "grace")).toBe(2);
  expect(await countUnread(workspace, "alan")).toBe(3);
});

test("annotations that are hidden from the user stay unread until they are shown", async () => {
  const workspace = await withAnnotations();
  const visibility = { type: "restricted" as const, userIds: ["ada"] };
  await addAnnotations(workspace, [{ annotationId: "hidden", visibility }]);
  for (const annotationIds of [["hidden"], undefined]) await callAsViewer(workspace, { annotationIds });
  expect(await countUnread(workspace, "grace")).toBe(0);
  const updatedData = { visibility: { type: "public" as const } };
  await workspace.data("/v2/commentannotations/update", { ...SCOPE, annotationIds: ["hidden"], updatedData });
  expect(await countUnread(workspace, "grace")).toBe(1);
});

test("a backend marks nothing for a user who cannot read the document", async () => {
  const workspace = await withAnnotations();
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId: SCOPE.organizationId, documentIds: [SCOPE.documentId], accessType: "restricted" },
  });
  expect(await read(workspace, { userId: "alan" })).toMatchObject({ readCount: 0 });
  await grant(workspace, "alan", DOCUMENT, "viewer");
  expect(await countUnread(workspace, "alan")).toBe(3);
});

test("a user who reads gets an event, and neither other users nor backends do", async () => {
  const workspace = await withAnnotations();
  await grant(workspace, "alan", DOCUMENT, "viewer");
  const resources = [{ ...resourceNamed(DOCUMENT), accessRole: "viewer" as const }];
  const { cursor } = await getEvents(workspace);
  const asUser = async (userId: string) => {
    const token = await tokenFor(workspace, userId, { resources });
    return eventReader(workspace, cursor, { address: service.address, token });
  };
  const readers = [eventReader(workspace, cursor), await asUser("grace"), await asUser("alan")];
  const news = () => Promise.all(readers.map((next) => next()));
  const isRead = ["comment_annotation.read", {}];
  await read(workspace, { annotationIds: ["a", "b"] });
  expect(await news()).toEqual([[], [isRead], []]);
  await read(workspace, { annotationIds: ["a"] });
  expect(await news()).toEqual([[], [], []]);
  const updatedData = { readByUserIds: ["alan", "grace", "alan"] };
  await workspace.data("/v2/commentannotations/update", { ...SCOPE, annotationIds: ["c"], updatedData });
  expect(await news()).toEqual([[], [isRead], [isRead]]);
});
