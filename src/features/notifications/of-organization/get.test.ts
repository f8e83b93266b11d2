import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { addNotification, notification } from "../../../../test/notifications.ts";
import type { Api } from "../../../operations.ts";

const PATH = "/v2/organizations/notifications/get";
const { organizationId } = SCOPE;
const service = await startTestService();

function read(workspace: TestWorkspace, request: Partial<Api[typeof PATH]["request"]> = {}) {
  return workspace.data(PATH, { organizationId, ...request });
}

async function readIds(workspace: TestWorkspace, request: Partial<Api[typeof PATH]["request"]> = {}) {
  return (await read(workspace, request)).map(({ id }) => id);
}

test("each notification has its first recipients with their records, and counts recipients and readers", async () => {
  const workspace = await service.publicWorkspace();
  const ada = { userId: "ada", name: "Ada\0", email: "ada@example.com" };
  await workspace.data("/v2/users/add", { organizationId, users: [ada] });
  await addNotification(workspace, "one", {
    notifyUsers: ["linus", "ada", "grace", "kurt"].map((userId) => ({ userId })),
  });
  await workspace.data("/v2/notifications/read", { organizationId, userId: "grace" });
  const [found] = await read(workspace);
  expect(found).toEqual({
    ...(await workspace.data("/v2/notifications/get", SCOPE))[0],
    readAtByUserId: undefined,
    recipients: [
      { user: expect.objectContaining(ada) },
      { user: { userId: "grace" }, readAt: expect.any(Number) },
      { user: { userId: "kurt" } },
    ],
    recipientCount: 4,
    readCount: 1,
  });
});

test("notifications to all users count everybody whom they reached, and one to nobody has no recipients", async () => {
  const workspace = await service.publicWorkspace();
  await workspace.data("/v2/users/add", { organizationId, users: [{ userId: "ada" }, { userId: "grace" }] });
  await workspace.data("/v2/notifications/add", notification([], { notificationId: "all", notifyAll: true }));
  await workspace.data("/v2/notifications/add", notification([], { notificationId: "none" }));
  expect(await read(workspace)).toMatchObject([
    { id: "none", recipients: [], recipientCount: 0, readCount: 0 },
    // The acting user gets none.
    { id: "all", recipients: [{ user: { userId: "grace" } }], recipientCount: 1, readCount: 0 },
  ]);
});

test("pages hold the notifications of all documents once, the last added first", async () => {
  const workspace = await service.publicWorkspace();
  for (const id of ["a", "b", "c", "d"]) await addNotification(workspace, id, { documentId: `document-${id}` });
  await addNotification(workspace, "other", { organizationId: "globex" });
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(PATH, { organizationId, pageSize: 3, ...(pageToken && { pageToken }) });
    ids.push(...page.data.map(({ id }) => id));
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  expect(ids).toEqual(["d", "c", "b", "a"]);
  expect(await readIds(workspace, { notificationIds: ["a", "c", "missing"] })).toEqual(["c", "a"]);
});

test("those of disabled documents are left out, and a disabled organization is rejected", async () => {
  const workspace = await service.publicWorkspace();
  for (const id of ["a", "b"]) await addNotification(workspace, id, { documentId: id });
  const disabled = true;
  await workspace.data("/v2/organizations/documents/access/disablestate/update", {
    ...{ organizationId, documentIds: ["a"], disabled },
  });
  expect(await readIds(workspace)).toEqual(["b"]);
  await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds: [organizationId], disabled });
  expect(await workspace.error(PATH, { organizationId })).toMatchObject({
    details: { reason: "organization_disabled" },
  });
});
