import { Connection } from "@hocuspocus/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { addContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { getText, openSyncedPage, type } from "../../../../test/sync.ts";
import { encodeStateRequest, encodeToken, openSyncSocket, type RawSyncSocket } from "../../../../test/sync-messages.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

const MIB = 1024 * 1024;
const VIEWERS = 12;
/** The buffers of the system may hold one of these for a connection, but not two. */
const TEXT = "x".repeat(9 * MIB);

/** Starts a service whose clients may leave this much unread, for a moment. */
async function serviceWith(maxBytes: number): Promise<{ address: string; workspace: TestWorkspace }> {
  const service = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, unsentMessages: { maxBytes, stalledMs: { always: 60_000, whenFull: 100 } } },
  }));
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: TEXT });
  return { address: service.address, workspace };
}

/** Returns the sizes of the messages that the service has sent, or tried to, since then. */
function watchSent(): () => number[] {
  const send = vi.spyOn(Connection.prototype, "send");
  onTestFinished(() => send.mockRestore());
  return () => send.mock.calls.map(([message]) => Object(message).length);
}

async function askWithoutReading(address: string, token: string, times = 1): Promise<RawSyncSocket> {
  const opened = await openSyncSocket(address);
  opened.send(encodeToken(token));
  // The service closes a socket whose token it has not checked in time, which a slow machine may not have.
  await eventually(() => expect(opened.received).not.toEqual([]));
  opened.socket.pause();
  opened.send(...Array.from({ length: times }, () => encodeStateRequest()));
  return opened;
}

test("a client that asks for a state in a loop gets the next one when it has read the last", async () => {
  const { address, workspace } = await serviceWith(1024 * MIB);
  const sent = watchSent();
  const states = () => sent().filter((length) => length > 8 * MIB).length;
  const { socket, received } = await askWithoutReading(address, await tokenFor(workspace, "eve"), 20);
  await eventually(() => expect(states()).toBeGreaterThan(0));
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  for (let count = 0; count < 5; count++) {
    type(ada, "a");
    await ada.saved();
  }
  // One of them is Ada's, and the buffers of the system hold another one at most.
  expect(states()).toBeLessThanOrEqual(3);
  socket.resume();
  await eventually(() => expect(received.filter(({ length }) => length > 8 * MIB).length).toBeGreaterThan(2));
});

test("viewers who do not read are cut off when they take too much memory, and others are served", async () => {
  const { address, workspace } = await serviceWith(32 * MIB);
  const token = await tokenFor(workspace, "eve");
  const sent = watchSent();
  const viewers: RawSyncSocket[] = [];
  // The buffers of the system may hold the first state that a viewer asks for.
  for (let count = 0; count < VIEWERS; count++) viewers.push(await askWithoutReading(address, token, 2));
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  expect(getText(ada)).toHaveLength(TEXT.length);
  // All viewers of one user together have less than two of these at a time, beside what the system holds.
  await eventually(async () => {
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(Number(/^colloquy_sync_closings_total\{reason="not_read"\} (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(3);
  });
  expect(sent().filter((length) => length > 8 * MIB).length).toBeGreaterThan(0);
  type(ada, "typed meanwhile", 0);
  await ada.saved();
  expect(ada.reasons).toEqual([]);
  for (const { socket } of viewers) socket.terminate();
});

test("changes of a document that clients do not read count, too", async () => {
  const { address, workspace } = await serviceWith(8 * MIB);
  await workspace.data("/v2/crdt/delete", { organizationId: "acme", documentId: "contract-7" });
  await addContent(workspace, { type: "text", data: "" });
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const eve = await openSyncSocket(address);
  eve.send(encodeToken(await tokenFor(workspace, "eve")), encodeStateRequest());
  await eventually(() => expect(eve.received.length).toBeGreaterThan(1));
  eve.socket.pause();
  for (let count = 0; count < 20; count++) {
    type(ada, "y".repeat(MIB - 1_000), 0);
    await ada.saved();
    ada.document.getText("content").delete(0, MIB - 1_000);
    await ada.saved();
  }
  await eventually(async () => {
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toMatch(/^colloquy_sync_closings_total\{reason="not_read"\} 1$/m);
  });
  expect(ada.reasons).toEqual([]);
});
