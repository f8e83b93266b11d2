import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readInbox, readNotifications } from "../../../test/notifications.ts";
import { setDisabled } from "../../../test/organizations.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Api } from "../../operations.ts";

const ARCHIVE = "/v2/notifications/archive";
const RESTORE = "/v2/notifications/restore";
const COUNT = "/v2/notifications/count/get";
const DELETE = "/v2/notifications/delete";
const service = await startTestService();
const { organizationId } = SCOPE;
const IDS = ["a", "b", "c", "d", "e"];
const GRACE = { organizationId, userId: "grace" };

type Selection = Partial<Api[typeof ARCHIVE]["request"]>;

/** Creates a workspace with five notifications to grace and alan, two of them in another document. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const [index, id] of IDS.entries()) {
    const documentId = index < 3 ? "contract-7" : "contract-8";
    const locationId = index % 2 === 0 ? "page-1" : undefined;
    await addNotification(workspace, id, {
      ...{ documentId, locationId, notifyUsers: [{ userId: "grace" }, { userId: "alan" }] },
    });
  }
  return workspace;
}

function archive(workspace: TestWorkspace, notificationIds: string[], selection: Selection = {}) {
  return workspace.data(ARCHIVE, { ...GRACE, notificationIds, ...selection });
}

function readArchive(workspace: TestWorkspace, scope: object = {}): Promise<string[]> {
  return readInbox(workspace, "grace", { archived: "only", ...scope });
}

test("an archived notification leaves the inbox and its count, and is read", async () => {
  const workspace = await filledWorkspace();
  const before = Date.now();
  expect(await archive(workspace, ["b", "d", "missing"])).toEqual({
    ...{ success: true, message: "2 notifications archived.", archivedCount: 2 },
  });
  expect(await readInbox(workspace, "grace")).toEqual(["a", "c", "e"]);
  const counts = await workspace.data(COUNT, { organizationId, userIds: ["grace", "alan"] });
  expect(counts).toEqual({ grace: { total: 3, unread: 3 }, alan: { total: 5, unread: 5 } });
  const archived = await readNotifications(workspace, { userId: "grace", archived: "only" });
  const state = { isRead: true, readAt: expect.any(Number), archivedAt: expect.any(Number) };
  expect(archived).toMatchObject([
    { id: "d", ...state },
    { id: "b", ...state },
  ]);
  for (const { archivedAt = 0 } of archived) expect(archivedAt).toBeGreaterThanOrEqual(before);
  expect(await readInbox(workspace, "alan")).toEqual(IDS);
});

test("archiving twice and archiving nothing are successes", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["a"]);
  const [first] = await readNotifications(workspace, { userId: "grace", archived: "only" });
  expect(await archive(workspace, ["a"])).toMatchObject({ archivedCount: 0, message: "0 notifications archived." });
  expect(await readNotifications(workspace, { userId: "grace", archived: "only" })).toEqual([first]);
});

test("a restored notification is read and back at its place", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["a", "b"]);
  const restored = await workspace.data(RESTORE, { ...GRACE, notificationIds: ["b", "c"] });
  expect(restored).toEqual({ success: true, message: "1 notification restored.", restoredCount: 1 });
  const inbox = await readNotifications(workspace, { userId: "grace" });
  expect(inbox.map(({ id, isRead, archivedAt }) => [id, isRead, archivedAt])).toEqual([
    ...["e", "d", "c"].map((id) => [id, false, undefined]),
    ["b", true, undefined],
  ]);
  expect(await readArchive(workspace)).toEqual(["a"]);
});

test.each([
  [{}, IDS],
  [{ documentId: "contract-7" }, ["a", "b", "c"]],
  [{ locationId: "page-1" }, ["a", "c", "e"]],
  [{ documentId: "contract-8", locationId: "page-1" }, ["e"]],
  [{ documentId: "contract-7", notificationIds: ["a", "e"] }, ["a"]],
])("%j limits archiving, restoring, deleting and reading an archive", async (place, ids) => {
  const workspace = await filledWorkspace();
  expect(await workspace.data(ARCHIVE, { ...GRACE, ...place })).toMatchObject({ archivedCount: ids.length });
  expect(await readArchive(workspace)).toEqual(ids);
  await workspace.data(ARCHIVE, GRACE);
  expect(await readArchive(workspace, place)).toEqual(ids);
  expect(await workspace.data(RESTORE, { ...GRACE, ...place })).toMatchObject({ restoredCount: ids.length });
  expect(await readInbox(workspace, "grace")).toEqual(ids);
  expect(await readInbox(workspace, "grace", { archived: "include", ...place })).toEqual(ids);
  await workspace.data(ARCHIVE, GRACE);
  const deleted = await workspace.data(DELETE, { ...GRACE, ...place, archived: "only" });
  expect(Object.values(deleted).filter(({ success }) => success)).toHaveLength(ids.length);
  expect(await readArchive(workspace)).toEqual(IDS.filter((id) => !ids.includes(id)));
});

test.each(["asc", "desc"] as const)(
  "pages of an archive, and of all notifications, are full and in order (%s)",
  async (order) => {
    const workspace = await filledWorkspace();
    await archive(workspace, ["a", "b", "d"]);
    const read = async (archived: "only" | "include") => {
      const pages: string[][] = [];
      let pageToken: string | undefined;
      do {
        const request = { ...GRACE, order, archived, pageSize: 2, ...(pageToken && { pageToken }) };
        const page = await workspace.result("/v2/notifications/get", request);
        pages.push(page.data.map(({ id }) => id));
        pageToken = page.pageToken;
      } while (pageToken);
      return pages;
    };
    const inOrder = (ids: string[]) => (order === "asc" ? ids : ids.toReversed());
    const [first = "", second = "", third = ""] = inOrder(["a", "b", "d"]);
    expect(await read("only")).toEqual([[first, second], [third]]);
    const [one = "", two = "", three = "", four = "", five = ""] = inOrder(IDS);
    expect(await read("include")).toEqual([[one, two], [three, four], [five]]);
  },
);

test("a new notification of an archived thread is not archived", async () => {
  const workspace = await service.publicWorkspace();
  const comment = {
    ...{ commentText: "Look", from: { userId: "ada" }, triggerNotification: true },
    taggedUserContacts: [{ text: "@grace", userId: "grace" }],
  };
  const annotation = { annotationId: "thread", commentData: [comment] };
  await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations: [annotation] });
  await workspace.data(ARCHIVE, GRACE);
  await workspace.data("/v2/commentannotations/comments/add", {
    ...{ ...SCOPE, annotationId: "thread", commentData: [comment] },
  });
  expect(await readNotifications(workspace, { userId: "grace" })).toMatchObject([{ isRead: false }]);
  expect(await readArchive(workspace)).toHaveLength(1);
});

test("a notification that is overwritten stays archived, and leaves the archive with its recipient", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["a"]);
  await addNotification(workspace, "a", { notifyUsers: [{ userId: "grace" }], displayBodyMessage: "Changed." });
  const archived = await readNotifications(workspace, { userId: "grace", archived: "only" });
  expect(archived).toMatchObject([{ id: "a", displayBodyMessage: "Changed." }]);
  await addNotification(workspace, "a", { notifyUsers: [{ userId: "alan" }] });
  expect(await readArchive(workspace)).toEqual([]);
  await addNotification(workspace, "a", { notifyUsers: [{ userId: "grace" }] });
  expect(await readInbox(workspace, "grace", { archived: "include" })).toEqual(["b", "c", "d", "e"]);
});

test("deleting an inbox keeps the archive, unless the request includes it", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["a", "b"]);
  await workspace.data(DELETE, GRACE);
  expect(await readInbox(workspace, "grace", { archived: "include" })).toEqual(["a", "b"]);
  await workspace.data(RESTORE, { ...GRACE, notificationIds: ["b"] });
  await workspace.data(DELETE, { ...GRACE, archived: "include" });
  expect(await readInbox(workspace, "grace", { archived: "include" })).toEqual([]);
  expect(await workspace.data(RESTORE, GRACE)).toMatchObject({ restoredCount: 0 });
});

test("a list without a user has who has archived each notification", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["c"]);
  const [c, b] = await readNotifications(workspace);
  expect(c).toMatchObject({ id: "c", archivedAtByUserId: { grace: expect.any(Number) } });
  expect(b).not.toHaveProperty("archivedAtByUserId");
});

test("users archive and restore in their own inbox what they see, and nothing else", async () => {
  const workspace = await filledWorkspace();
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: ["contract-8"], accessType: "restricted" },
  });
  const token = await tokenFor(workspace, "grace");
  const call = async (path: string, request: object = {}) =>
    Object((await callWith(token, `${service.address}${path}`, { organizationId, ...request })).body);
  for (const path of [ARCHIVE, RESTORE]) {
    expect((await call(path, { userId: "alan" })).error).toMatchObject({ details: { reason: "identity_mismatch" } });
  }
  expect((await call(ARCHIVE)).result.data).toMatchObject({ archivedCount: 3 });
  expect((await call("/v2/notifications/get", { archived: "only" })).result.data).toHaveLength(3);
  expect((await call(RESTORE, { notificationIds: ["a"] })).result.data).toMatchObject({ restoredCount: 1 });
  expect(await readInbox(workspace, "alan")).toEqual(["a", "b", "c"]);
  await workspace.data("/v2/organizations/documents/access/update", {
    ...{ organizationId, documentIds: ["contract-8"], accessType: "public" },
  });
  expect(await readInbox(workspace, "grace")).toEqual(["a", "d", "e"]);
});

test.each([
  ["/v2/notifications/get", SCOPE],
  ["/v2/notifications/get", { documentId: SCOPE.documentId, userId: "grace" }],
  [DELETE, SCOPE],
])("the archive of nobody is rejected: %s with %j", async (path, scope) => {
  const workspace = await service.workspace();
  const error = await workspace.error(path, { ...scope, archived: "only" });
  expect(error).toMatchObject({
    ...{ status: "INVALID_ARGUMENT", message: "data must have organizationId and userId if it has archived" },
  });
});

test("an archive of a disabled organization is not changed", async () => {
  const workspace = await filledWorkspace();
  await setDisabled(workspace, true);
  for (const path of [ARCHIVE, RESTORE]) {
    expect(await workspace.error(path, GRACE)).toMatchObject({ status: "PERMISSION_DENIED" });
  }
});

test("the export of a user has what was archived", async () => {
  const workspace = await filledWorkspace();
  await archive(workspace, ["a"]);
  const { receivedNotifications = [] } = await workspace.data("/v2/users/data/get", GRACE);
  const archived = receivedNotifications.filter((record) => Object(record).archivedAt !== undefined);
  expect(archived).toMatchObject([{ id: "a", isRead: true }]);
});
