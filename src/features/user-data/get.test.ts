import { expect, test } from "vitest";
import { beforePurge } from "../../../test/before-purge.ts";
import { addActivities, copyActivity, SCOPE } from "../../../test/factories.ts";
import { addCommentWith, BYTES, NEW_FILE, sendRaw } from "../../../test/files.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addToGroup, setDisabled, USERS, writeRecords } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserData, untilDeletionDone } from "../../../test/user-data.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Api } from "../../operations.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startTestService();
const PATH = "/v2/users/data/get";

interface UserDataPage {
  data: Api[typeof PATH]["response"];
  nextPageToken: string | null;
}

async function readPage(workspace: TestWorkspace, pageToken?: string | null): Promise<UserDataPage> {
  const { body } = await workspace.call(PATH, {
    organizationId: "acme",
    userId: "ada",
    ...(pageToken && { pageToken }),
  });
  return (body as { result: UserDataPage }).result;
}

async function readAll(workspace: TestWorkspace): Promise<UserDataPage["data"][]> {
  const pages: UserDataPage["data"][] = [];
  let pageToken: string | null = null;
  do {
    const page: UserDataPage = await readPage(workspace, pageToken);
    pages.push(page.data);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return pages;
}

test("an export has every kind, no data of other users, and null as its last page token", async () => {
  const workspace = await service.workspace();
  for (const userId of ["ada", "bob"]) {
    await writeRecords(workspace, USERS, "add", [{ userId, name: userId, accessRole: "editor" }], {
      documentId: SCOPE.documentId,
    });
    await addActivities(workspace, [{ id: `of ${userId}`, actionUser: { userId } }]);
    await workspace.data("/v2/crdt/add", { ...SCOPE, editorId: `of ${userId}`, type: "text", data: "one", userId });
    await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ userId, name: "A" }] });
    const recording = { annotationId: `of-${userId}`, from: { userId } };
    await workspace.data("/v2/recordings/add", { ...SCOPE, recordings: [recording] });
    await workspace.data("/v2/notifications/add", {
      ...{ ...SCOPE, notificationId: `of-${userId}`, actionUser: { userId }, notifyUsers: [{ userId }] },
      ...{ notifyAll: false, displayHeadlineMessageTemplate: "", displayBodyMessage: "" },
    });
    const config = { inbox: "ALL", email: "NONE" } as const;
    await workspace.data("/v2/notifications/config/set", { organizationId: "acme", userIds: [userId], config });
  }
  await addToGroup(workspace, "legal", ["ada", "bob"]);
  expect(await readPage(workspace)).toMatchObject({
    nextPageToken: null,
    data: {
      activities: [{ id: "of ada" }],
      crdt: [{ documentId: "contract-7", editorId: "of ada", firstChangedAt: expect.any(Number) }],
      notificationConfigs: [{ documentId: "", inbox: "ALL", email: "NONE", slack: null }],
      notifications: [{ id: "of-ada" }],
      permissions: [{ type: "document", id: "contract-7", accessRole: "editor" }, { type: "organization" }],
      presence: [{ documentId: "contract-7", name: "A", status: "online", lastActive: expect.any(Number) }],
      receivedNotifications: [{ id: "of-ada" }],
      recordings: [{ annotationId: "of-ada" }],
      userGroups: [{ organizationUserGroupId: "legal" }],
      users: [{ userId: "ada", name: "ada" }],
    },
  });
});

test("an export has the files that the user uploaded, with URLs of those that records name", async () => {
  const workspace = await service.publicWorkspace();
  await addActivities(workspace, ["a"]);
  const add = async (userId: string, name: string) => {
    const url = `${service.address}/v2/files/add`;
    const { body } = await callWith(await tokenFor(workspace, userId), url, { ...NEW_FILE, name });
    return Object(body).result.data;
  };
  const { fileId, upload } = await add("ada", "named.txt");
  await sendRaw(upload.url, "PUT", upload.headers, BYTES);
  await addCommentWith(workspace, [{ fileId }]);
  const unnamed = await add("ada", "unnamed.txt");
  await add("bob", "other.txt");
  const { files = [] } = (await readPage(workspace)).data;
  const facts = { contentType: "text/plain", size: BYTES.length, createdAt: expect.any(Number) };
  expect(files).toMatchObject([
    { ...facts, fileId, name: "named.txt" },
    { ...facts, fileId: unnamed.fileId, name: "unnamed.txt" },
  ]);
  const [named, other] = await Promise.all(files.map((file) => sendRaw(Object(file).url, "GET")));
  expect([named?.body, other?.status]).toEqual([BYTES, 404]);
});

test("a page has at most 100 records of a kind, and each record is returned once", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await copyActivity(service.database, organizationKey(workspace.id, "acme"), "a", 249);
  await workspace.data("/v2/recordings/add", {
    ...SCOPE,
    recordings: [{ annotationId: "r", from: { userId: "ada" } }],
  });
  const pages = await readAll(workspace);
  expect(pages.map(({ activities }) => activities?.length)).toEqual([100, 100, 50]);
  expect(pages.map(({ recordings }) => recordings?.length)).toEqual([1, 0, 0]);
  expect(new Set(pages.flatMap(({ activities = [] }) => activities.map((activity) => Object(activity).id))).size).toBe(
    250,
  );
});

test("data can be exported during its deletion, and is empty afterwards", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  const { jobId } = await beforePurge(service, async () => {
    const accepted = await deleteUserData(workspace, ["ada"]);
    expect((await readPage(workspace)).data.activities).toHaveLength(1);
    return accepted;
  });
  await untilDeletionDone(workspace, jobId);
  expect(Object.values((await readPage(workspace)).data).flat()).toEqual([]);
});

test("a page token of another user is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await copyActivity(service.database, organizationKey(workspace.id, "acme"), "a", 100);
  const { nextPageToken: pageToken } = await readPage(workspace);
  const error = await workspace.error(PATH, { organizationId: "acme", userId: "bob", pageToken });
  expect(error.status).toBe("INVALID_ARGUMENT");
});

test("user data of a disabled organization can be read, but not of one that is being deleted", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await setDisabled(workspace, true);
  expect((await readPage(workspace)).data.activities).toMatchObject([{ id: "a" }]);
  await runSql(service.database, "update organizations set deleted_at = now() where organization_key = $1", [
    organizationKey(workspace.id, "acme"),
  ]);
  const error = await workspace.error(PATH, { organizationId: "acme", userId: "ada" });
  expect(error).toMatchObject({ details: { reason: "organization_being_deleted" } });
});
