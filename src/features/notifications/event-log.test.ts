import { expect, test } from "vitest";
import { workspaceWithDocument } from "../../../test/events.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addUsers } from "../../../test/notifications.ts";
import { runSql } from "../../../test/run-sql.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const service = await startTestService();
const { organizationId } = SCOPE;
const EVENTS = "/v2/events/get";
const ADD = "/v2/notifications/add";

const NOTIFICATION = {
  ...{ ...SCOPE, notificationId: "n", actionUser: { userId: "eve" }, notifyAll: false },
  ...{ displayHeadlineMessageTemplate: "Sign", displayBodyMessage: "Please." },
};

interface Event {
  event: string;
  subject: object;
  record?: object;
}

/** Returns functions that read the events since their last call: as the backend, and as ada and grace. */
async function getReaders(workspace: TestWorkspace) {
  const callers = await Promise.all([undefined, "ada", "grace"].map((id) => id && tokenFor(workspace, id)));
  return Promise.all(
    callers.map(async (token) => {
      const read = async (cursor?: string): Promise<{ events: Event[]; cursor: string }> => {
        const request = { organizationId, ...(cursor && { cursor }) };
        if (!token) return workspace.data(EVENTS, request);
        const { body } = await callWith(token, `${service.address}${EVENTS}`, request);
        return Object(body).result.data;
      };
      let { cursor } = await read();
      return async () => {
        const response = await read(cursor);
        cursor = response.cursor;
        return response.events;
      };
    }),
  );
}

async function startListening(others: string[] = []) {
  const workspace = await workspaceWithDocument(service);
  await addUsers(workspace, ["ada", "grace"]);
  if (others.length > 0) await addUsers(workspace, others);
  const readers = await getReaders(workspace);
  const news = () => Promise.all(readers.map(async (read) => (await read()).map(({ event }) => event)));
  return { workspace, readers, news };
}

test("a notification is an event for recipients and backends, with the record that each gets", async () => {
  const { workspace, readers } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }] });
  const [ofBackend, ofAda, ofGrace] = await Promise.all(readers.map((read) => read()));
  const [record] = await workspace.data("/v2/notifications/get", SCOPE);
  const expected = { event: "notification.add", ...SCOPE, subject: { id: "n" } };
  expect(ofBackend).toMatchObject([{ ...expected, record }]);
  expect(ofAda).toMatchObject([{ ...expected, record: { id: "n", isRead: false } }]);
  expect(ofAda?.[0]?.record).not.toHaveProperty("readAtByUserId");
  expect(ofGrace).toEqual([]);
});

test("delivering again adds, changes and removes it in inboxes", async () => {
  const { workspace, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }] });
  await news();
  const update = { id: "n", notifyUsers: [{ userId: "ada" }, { userId: "grace" }] };
  await workspace.data("/v1/notifications/update", { ...SCOPE, notifications: [update] });
  expect(await news()).toEqual([["notification.update"], ["notification.update"], ["notification.add"]]);
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "grace" }] });
  expect(await news()).toEqual([["notification.update"], ["notification.delete"], ["notification.update"]]);
});

test("a user who reads gets an event, and other recipients do not", async () => {
  const { workspace, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }, { userId: "grace" }] });
  await news();
  const read = { organizationId, persistReadForUsers: true };
  await workspace.data("/v2/notifications/read", { ...read, userId: "ada" });
  expect(await news()).toEqual([["notification.update"], ["notification.update"], []]);
  await workspace.data("/v2/notifications/read", { ...read, userId: "ada" });
  expect(await news()).toEqual([[], [], []]);
  await workspace.data("/v2/notifications/read", { organizationId, userId: "grace" });
  expect(await news()).toEqual([["notification.update"], [], ["notification.delete"]]);
});

test("a user who archives and restores gets the record with its state, and other recipients get nothing", async () => {
  const { workspace, readers, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }, { userId: "grace" }] });
  await news();
  const ofAda = { organizationId, userId: "ada" };
  await workspace.data("/v2/notifications/archive", ofAda);
  const archived = await Promise.all(readers.map((read) => read()));
  const event = { event: "notification.update", subject: { id: "n" } };
  expect(archived).toMatchObject([[event], [{ ...event, record: { isRead: true } }], []]);
  expect(archived[1]?.[0]?.record).toHaveProperty("archivedAt");
  await workspace.data("/v2/notifications/restore", ofAda);
  const restored = await Promise.all(readers.map((read) => read()));
  expect(restored).toMatchObject([[event], [{ ...event, record: { isRead: true } }], []]);
  expect(restored[1]?.[0]?.record).not.toHaveProperty("archivedAt");
});

test("a notification deleted from an archive is an event", async () => {
  const { workspace, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }] });
  await workspace.data("/v2/notifications/archive", { organizationId, userId: "ada" });
  await news();
  await workspace.data("/v2/notifications/delete", { organizationId, userId: "ada", archived: "only" });
  expect(await news()).toEqual([["notification.update"], ["notification.delete"], []]);
});

test("a deleted notification is an event without a record for those whose inbox had it", async () => {
  const { workspace, readers, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }] });
  await news();
  await workspace.data("/v2/notifications/delete", { ...SCOPE, notificationIds: ["n", "missing"] });
  const events = await Promise.all(readers.map((read) => read()));
  const expected = { event: "notification.delete", subject: { id: "n" } };
  expect(events).toMatchObject([[expected], [expected], []]);
  for (const event of events.flat()) expect(event).not.toHaveProperty("record");
});

test("a notification for many users is one event", async () => {
  const others = Array.from({ length: 499 }, (_, number) => `user-${number}`);
  const { workspace, readers } = await startListening(others);
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [], notifyAll: true });
  await workspace.data("/v2/notifications/delete", { organizationId, userId: "ada" });
  const [ofBackend, ofAda, ofGrace] = await Promise.all(readers.map((read) => read()));
  expect(ofBackend).toMatchObject([{ event: "notification.add" }, { event: "notification.update" }]);
  expect(ofAda).toMatchObject([{ event: "notification.delete" }]);
  expect(ofGrace).toMatchObject([{ event: "notification.add", record: { id: "n" } }]);
});

test("reading a full inbox is one event that names no notification", async () => {
  const { workspace, readers, news } = await startListening();
  await workspace.data(ADD, { ...NOTIFICATION, notifyUsers: [{ userId: "ada" }] });
  await runSql(
    service.database,
    `insert into notification_recipients (organization_key, sequence, user_id, document_id, created_at)
     select organization_key, sequence + 1000000 + number, user_id, document_id, created_at
     from notification_recipients, generate_series(1, 500) as number where organization_key = $1`,
    [organizationKey(workspace.id, organizationId)],
  );
  for (let isMore = true; isMore; ) isMore = (await news()).flat().length > 0;
  await workspace.data("/v2/notifications/read", { organizationId, userId: "ada" });
  const [ofBackend, ofAda, ofGrace] = await Promise.all(readers.map((read) => read()));
  for (const events of [ofBackend, ofAda]) {
    expect(events).toMatchObject([{ event: "notification.update", subject: {} }]);
    expect(events?.[0]).not.toHaveProperty("record");
  }
  expect(ofGrace).toEqual([]);
});
