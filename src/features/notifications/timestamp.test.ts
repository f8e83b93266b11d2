import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import {
  addNotification,
  notification,
  readInbox,
  readNotificationIds,
  readNotificationPages,
  readNotifications,
} from "../../../test/notifications.ts";

const service = await startTestService();
const LAST_YEAR = Date.now() - 365 * 24 * 60 * 60 * 1000;

test("a notification takes its place in lists and inboxes by the given timestamp", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "now");
  await addNotification(workspace, "second", { timestamp: LAST_YEAR + 1, locationId: "page-2" });
  await addNotification(workspace, "first", { timestamp: LAST_YEAR, locationId: "page-2" });
  expect(await readNotificationIds(workspace)).toEqual(["first", "second", "now"]);
  expect(await readInbox(workspace, "grace")).toEqual(["first", "second", "now"]);
  expect(await readInbox(workspace, "grace", { documentId: SCOPE.documentId })).toEqual(["first", "second", "now"]);
  expect(await readInbox(workspace, "grace", { locationId: "page-2" })).toEqual(["first", "second"]);
  expect((await readNotifications(workspace)).at(-1)?.timestamp).toBe(LAST_YEAR);
});

test("overwriting a notification keeps its timestamp, whatever timestamp is sent", async () => {
  const workspace = await service.publicWorkspace();
  await addNotification(workspace, "imported", { timestamp: LAST_YEAR });
  await addNotification(workspace, "now");
  const before = await readNotifications(workspace);
  await addNotification(workspace, "imported", { timestamp: LAST_YEAR + 5 });
  await addNotification(workspace, "now", { timestamp: LAST_YEAR - 5 });
  await addNotification(workspace, "imported");
  expect(await readNotifications(workspace)).toEqual(before);
});

test("inbox pages of notifications with equal timestamps neither repeat nor skip one", async () => {
  const workspace = await service.publicWorkspace();
  const ids = Array.from({ length: 9 }, (_, index) => `n${(index * 5) % 9}`);
  for (const id of ids) await addNotification(workspace, id, { timestamp: LAST_YEAR });
  const pages = await readNotificationPages(workspace, { userId: "grace", pageSize: 2 });
  expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
});

test.each([-1, 1.5, "1700000000000", null, Date.now() + 10 * 60_000])(
  "the timestamp %j is INVALID_ARGUMENT",
  async (timestamp) => {
    const workspace = await service.publicWorkspace();
    const error = await workspace.error("/v2/notifications/add", { ...notification(["grace"]), timestamp });
    const message = expect.stringMatching(/^data\.timestamp must/);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message });
  },
);
