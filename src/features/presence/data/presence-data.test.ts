import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../../test/harness.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { PresenceData } from "./presence-data.ts";

const place = {
  workspaceId: "mine",
  organizationKey: organizationKey("0".repeat(32), "acme"),
  documentId: "contract-7",
};

/** Creates the data of a process, which gets its own notifications as PostgreSQL sends them, and a reader of it. */
function open() {
  const notify = async (payloads: readonly string[]) => {
    for (const payload of payloads) presence.receive(payload);
  };
  const presence = new PresenceData(notify, silentLog);
  const wake = vi.fn();
  const read = () => {
    const subscribed = { ...place, organizationId: "acme", documentIds: [place.documentId] };
    return presence.subscribe(subscribed, wake);
  };
  const send = async (connectionId: string, data = "{}") => {
    const sent = presence.send({ ...place, userId: "ada", connectionId, data });
    await vi.advanceTimersByTimeAsync(50);
    await sent;
  };
  return { presence, read, send, wake };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("data that is not sent again for 90 s expires, and its readers are notified", async () => {
  const { presence, read, send, wake } = open();
  await send("old");
  await vi.advanceTimersByTimeAsync(60_000);
  await send("new");
  const reader = read();
  expect(reader.take()).toMatchObject([{ data: expect.stringContaining('"old","data":{}') }]);
  await vi.advanceTimersByTimeAsync(36_000);
  expect(wake).toHaveBeenCalledTimes(1);
  const connections = [{ userId: "ada", connectionId: "old" }];
  expect(JSON.parse(reader.take()[0]?.data ?? "")).toEqual({
    organizationId: "acme",
    documentId: "contract-7",
    connections,
  });
  expect(reader.hasNews).toBe(false);
  presence.stop();
});

test("a reader that takes late gets the newest data of each connection", async () => {
  const { presence, read, send } = open();
  const reader = read();
  reader.take();
  for (const data of ['{"x":1}', '{"x":2}']) await send("a", data);
  await send("b");
  expect(reader.take().map(({ data }) => JSON.parse(data).connections)).toEqual([
    [
      { userId: "ada", connectionId: "a", data: { x: 2 } },
      { userId: "ada", connectionId: "b", data: {} },
    ],
  ]);
  presence.stop();
});

test("a workspace that sends more than a process keeps loses its own oldest data, and others none", async () => {
  const { presence, read, send } = open();
  await send("mine");
  const sendTheirs = async (connectionId: string, documentId: string) => {
    const theirs = { workspaceId: "theirs", organizationKey: organizationKey("1".repeat(32), "acme"), documentId };
    await presence.send({ ...theirs, userId: connectionId, connectionId, data: JSON.stringify("x".repeat(2_000)) });
  };
  const documents = Array.from({ length: 110 }, (_, index) => `document-${index}`);
  const sending = documents.flatMap((id) => documents.map((connectionId) => sendTheirs(connectionId, id)));
  sending.push(...documents.map((connectionId) => sendTheirs(connectionId, "last")));
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all(sending);
  expect(read().take()[0]?.data).toContain('"mine"');
  const theirs = { organizationKey: organizationKey("1".repeat(32), "acme"), organizationId: "acme" };
  const count = (documentId: string) => {
    const [event] = presence.subscribe({ ...theirs, documentIds: [documentId] }, () => {}).take();
    return JSON.parse(event?.data ?? "").connections.length;
  };
  expect([count("last"), count("document-0")]).toEqual([110, 0]);
  presence.stop();
});
