import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { addFolders } from "../../../test/folders.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification, readInbox, readNotificationIds, readNotifications } from "../../../test/notifications.ts";
import { grant, removeGrant } from "../../../test/permissions.ts";
import { runSql } from "../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { AccessType } from "../../contract/access-type.ts";

// Access is not cached, so that the next request sees a change.
const service = await startOwnTestService((config) => ({ limits: { ...config.limits, roleCacheMs: 0 } }));
const { organizationId } = SCOPE;
const GET = "/v2/notifications/get";
const COUNT = "/v2/notifications/count/get";
const READ = "/v2/notifications/read";
const DOCUMENTS = ["1", "2", "3", "4", "5", "6"];

/** Creates a workspace with a restricted folder, and with one notification of grace in each of six documents. */
async function sixNotifications(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const id of DOCUMENTS) await addNotification(workspace, `n${id}`, { documentId: id });
  await addFolders(workspace, [{ folderId: "private", accessType: "restricted" }]);
  return workspace;
}

function setType(workspace: TestWorkspace, documentId: string, accessType: AccessType) {
  const request = { organizationId, documentIds: [documentId], accessType };
  return workspace.data("/v2/organizations/documents/access/update", request);
}

function setDefault(workspace: TestWorkspace, defaultDocumentAccessType: AccessType) {
  return workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType });
}

function move(workspace: TestWorkspace, documentId: string, folderId = "private") {
  const request = { organizationId, documentIds: [documentId], folderId };
  return workspace.result("/v2/organizations/documents/move", request);
}

function disable(workspace: TestWorkspace, documentId: string, disabled = true) {
  const request = { organizationId, documentIds: [documentId], disabled };
  return workspace.data("/v2/organizations/documents/access/disablestate/update", request);
}

/** Returns the documents of grace's inbox, and checks that the counts and the other ways to read it agree. */
async function documentsSeen(workspace: TestWorkspace): Promise<string[]> {
  const ids = await readInbox(workspace, "grace", { pageSize: 2 });
  expect(await readInbox(workspace, "grace", { notificationIds: DOCUMENTS.map((id) => `n${id}`) })).toEqual(ids);
  for (const id of DOCUMENTS) {
    const places = [{ documentId: id }, { documentId: id, organizationId: undefined }];
    for (const place of places) {
      const seen = await workspace.call(GET, { organizationId, ...place, userId: "grace" });
      const listed = seen.httpStatus === 200 ? Object(seen.body).result.data.length : 0;
      expect([id, listed]).toEqual([id, ids.includes(`n${id}`) ? 1 : 0]);
    }
  }
  const counts = await workspace.data(COUNT, { organizationId, userIds: ["alan", "grace"] });
  expect(counts).toEqual({ alan: { total: 0, unread: 0 }, grace: { total: ids.length, unread: ids.length } });
  return ids.map((id) => id.slice(1));
}

test("an inbox and its count leave out what the access table denies, and a list of the backend nothing", async () => {
  const workspace = await sixNotifications();
  expect(await documentsSeen(workspace)).toEqual(DOCUMENTS);
  await setType(workspace, "1", "restricted");
  await setType(workspace, "2", "organizationPrivate");
  await move(workspace, "3");
  await disable(workspace, "4");
  expect(await documentsSeen(workspace)).toEqual(["5", "6"]);
  await grant(workspace, "grace", "organization", "viewer");
  expect(await documentsSeen(workspace)).toEqual(["2", "5", "6"]);
  await grant(workspace, "grace", "folder private", "viewer");
  expect(await documentsSeen(workspace)).toEqual(["2", "3", "5", "6"]);
  for (const id of ["1", "4"]) await grant(workspace, "grace", `document ${id}`, "viewer");
  expect(await documentsSeen(workspace)).toEqual(["1", "2", "3", "5", "6"]);
  await setDefault(workspace, "restricted");
  expect(await documentsSeen(workspace)).toEqual(["1", "2", "3"]);
  await disable(workspace, "4", false);
  expect(await documentsSeen(workspace)).toEqual(["1", "2", "3", "4"]);
  const all = await Promise.all(DOCUMENTS.map((documentId) => readNotificationIds(workspace, { documentId })));
  expect(all.flat()).toEqual(DOCUMENTS.map((id) => `n${id}`));
});

test("a notification of a missing document has the access of a document outside of any folder", async () => {
  const workspace = await sixNotifications();
  await runSql(
    service.database,
    `delete from documents where organization_key = (select organization_key from organizations
      where workspace_id = $1 and organization_id = $2) and document_id = any($3)`,
    [workspace.id, organizationId, ["5", "6"]],
  );
  await setType(workspace, "1", "restricted");
  expect(await readInbox(workspace, "grace")).toEqual(["n2", "n3", "n4", "n5", "n6"]);
  await setDefault(workspace, "organizationPrivate");
  expect(await readInbox(workspace, "grace")).toEqual([]);
  await grant(workspace, "grace", "organization");
  expect(await readInbox(workspace, "grace")).toEqual(["n2", "n3", "n4", "n5", "n6"]);
});

/** Restricts document 3 to grace. */
async function allow(workspace: TestWorkspace) {
  await setType(workspace, "3", "restricted");
  await grant(workspace, "grace", "document 3");
}

type Change = (workspace: TestWorkspace) => Promise<unknown>;
const end: Change = (workspace) => grant(workspace, "grace", "document 3", "editor", { expiresAt: 1 });
const changes: [string, { open: Change; close: Change }][] = [
  [
    "its document is moved to a private folder",
    { open: (one) => move(one, "3", "root"), close: (one) => move(one, "3") },
  ],
  ["its document is disabled", { open: (one) => disable(one, "3", false), close: (one) => disable(one, "3") }],
  ["the permission on its document expires", { open: allow, close: end }],
  [
    "the permission on its document is removed",
    { open: allow, close: (one) => removeGrant(one, "grace", "document 3") },
  ],
];

test.each(changes)("pages stay full without a notification from the moment that %s", async (_, { open, close }) => {
  const workspace = await sixNotifications();
  const resources = [{ type: "document" as const, id: "5", organizationId }];
  const token = await tokenFor(workspace, "grace", { resources });
  const readers = [
    (request: object) => workspace.call(GET, { organizationId, userId: "grace", pageSize: 2, ...request }),
    (request: object) => callWith(token, `${service.address}${GET}`, { organizationId, pageSize: 2, ...request }),
  ];
  for (const readPage of readers) {
    const next = async (pageToken?: string): Promise<{ ids: string[]; pageToken: string }> => {
      const { data, pageToken: following } = Object((await readPage({ pageToken })).body).result;
      return { ids: data.map(({ id }: { id: string }) => id), pageToken: following };
    };
    await open(workspace);
    const first = await next();
    await close(workspace);
    const second = await next(first.pageToken);
    const third = await next(second.pageToken);
    expect([first.ids, second.ids, third.ids]).toEqual([["n6", "n5"], ["n4", "n2"], ["n1"]]);
    expect(third.pageToken).toBeUndefined();
  }
});

test("marking an inbox as read leaves what its user does not see unread", async () => {
  const workspace = await sixNotifications();
  await setType(workspace, "1", "restricted");
  await disable(workspace, "2");
  const request = { organizationId, userId: "grace" };
  expect(await workspace.data(READ, request)).toMatchObject({ readCount: 4 });
  expect(await workspace.data(READ, request)).toMatchObject({ readCount: 0 });
  await grant(workspace, "grace", "document 1");
  await disable(workspace, "2", false);
  expect(await readInbox(workspace, "grace")).toEqual(["n1", "n2"]);
});

test("a document in several organizations shows the notifications of those in which the user may read it", async () => {
  const workspace = await service.publicWorkspace();
  const organizations = ["acme", "globex", "initech"];
  for (const id of organizations) await addNotification(workspace, `of-${id}`, { organizationId: id });
  const inbox = () =>
    readNotificationIds(workspace, { organizationId: undefined, documentId: SCOPE.documentId, userId: "grace" });
  expect(await inbox()).toEqual(["of-acme", "of-globex", "of-initech"]);
  await setDefault(workspace, "organizationPrivate");
  expect(await inbox()).toEqual([]);
  await grant(workspace, "grace", "organization", "viewer", { organizationId: "globex" });
  expect(await inbox()).toEqual(["of-globex"]);
  await grant(workspace, "grace", "organization", "viewer", { organizationId: "acme" });
  expect(await inbox()).toEqual(["of-acme", "of-globex"]);
});

test("a user sees by the grants of the token what the backend of the user does not", async () => {
  const workspace = await sixNotifications();
  await setDefault(workspace, "restricted");
  const resources = ["1", "2"].map((id) => ({ type: "document" as const, id, organizationId }));
  const token = await tokenFor(workspace, "grace", { resources });
  const call = async (path: string) => {
    return Object((await callWith(token, `${service.address}${path}`, { organizationId })).body).result.data;
  };
  expect((await call(GET)).map(({ id }: { id: string }) => id)).toEqual(["n2", "n1"]);
  expect(await call(COUNT)).toEqual({ grace: { total: 2, unread: 2 } });
  expect(await readNotifications(workspace, { userId: "grace" })).toEqual([]);
  expect((await call(READ)).readCount).toBe(2);
  expect(await call(GET)).toEqual([]);
});
