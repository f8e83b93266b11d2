import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../../test/harness.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { PresenceData } from "./presence-data.ts";

const place = { organizationKey: organizationKey("0".repeat(32), "acme"), documentId: "contract-7" };

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
