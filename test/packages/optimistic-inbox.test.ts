import { expect, onTestFinished, test } from "vitest";
import { inboxStore } from "../../packages/client/src/stores/index.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { openPage } from "./store-page.ts";

const service = await startTestService();
const { organizationId } = SCOPE;

test("what the user reads and archives leaves the count at once, and comes back if that fails", async () => {
  const workspace = await service.publicWorkspace();
  for (const id of ["one", "two", "three"]) await addNotification(workspace, id, { notifyUsers: [{ userId: "ada" }] });
  const { session, replace } = await openPage(service.address, workspace);
  const inbox = inboxStore(session);
  const states: unknown[] = [];
  onTestFinished(inbox.subscribe(({ data, unreadCount }) => states.push([...data.map(({ id }) => id), unreadCount])));
  await eventually(() => expect(states.at(-1)).toEqual(["three", "two", "one", 3]));
  replace("/v2/notifications/read", () => {
    throw new RangeError("failed");
  });
  const read = inbox.markRead();
  expect(states.at(-1)).toEqual(["three", "two", "one", 0]);
  await expect(read).rejects.toThrow("failed");
  expect(states.at(-1)).toEqual(["three", "two", "one", 3]);
  const reading = inbox.markRead(["three"]);
  expect(states.at(-1)).toEqual(["three", "two", "one", 2]);
  const archiving = inbox.archive(["two"]);
  expect(states.at(-1)).toEqual(["three", "one", 1]);
  const removing = inbox.remove(["one"]);
  expect(states.at(-1)).toEqual(["three", 0]);
  await Promise.all([reading, archiving, removing]);
  const { data } = await session.client.call("/v2/notifications/get", { organizationId, userId: "ada" });
  expect(data).toMatchObject([{ id: "three", isRead: true }]);
  await eventually(() => expect(inbox.getState().data).toEqual(data));
  expect(states.at(-1)).toEqual(["three", 0]);
});
