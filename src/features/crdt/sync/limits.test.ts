import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { Document, MessageType } from "@hocuspocus/server";
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { messageYjsSyncStep2 } from "y-protocols/sync";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent, updateContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { fromClients } from "../../../../test/hostile-updates.ts";
import {
  documentName,
  getRejection,
  getText,
  openPage,
  openSyncedPage,
  type SyncedPage,
  type,
} from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";

const service = await startTestService();
const { address } = service;
const MIB = 1024 * 1024;

async function workspaceWithText(data = "one"): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data });
  return workspace;
}

test("an update of more than 1 MiB is stored in parts, and reaches others, such as a paste", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  type(ada, "x".repeat(3 * MIB), 0);
  type(ada, " two");
  await ada.saved();
  expect(ada.reasons).toEqual([]);
  expect((await readContent(workspace)).data === getText(ada)).toBe(true);
  await eventually(() => expect(getText(grace) === getText(ada)).toBe(true));
});

test("an update of more than 1,000 clients or 10,000 structs is stored in parts", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "array", data: [] });
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  sendUpdate(ada, fromClients(1, 1_001));
  ada.document.transact(() => {
    const list = ada.document.getArray("content");
    for (let number = 0; number < 5_001; number++) list.push([new Y.Map([["number", number]])]);
  });
  await ada.saved();
  expect(ada.reasons).toEqual([]);
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(grace.document.store.clients.size).toBeGreaterThan(1_001);
  expect(grace.document.getArray("content").length).toBe(5_001);
});

test("an update with a value of more than 1 MiB closes the document with a reason and is not saved", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  ada.document.getMap("other").set("large", "x".repeat(MIB));
  expect(await getRejection(ada)).toBe("update_too_large");
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(grace.document.getMap("other").size).toBe(0);
});

test("an update of more than 10,000 clients closes the document with a reason and is not saved", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  sendUpdate(ada, fromClients(1, 10_001));
  expect(await getRejection(ada)).toBe("update_too_large");
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(grace.document.store.clients.size).toBe(1);
});

test("what a viewer synchronizes is limited as well", async () => {
  const workspace = await workspaceWithText();
  const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada", { resources }) });
  const message = createEncoder();
  writeVarString(message, documentName());
  for (const value of [MessageType.Sync, messageYjsSyncStep2]) writeVarUint(message, value);
  writeVarUint8Array(message, fromClients(1, 1_001));
  ada.provider.configuration.websocketProvider.webSocket?.send(toUint8Array(message));
  expect(await getRejection(ada)).toBe("update_too_large");
});

test("a page that sends the second half of an update first connects again, and both are saved", async () => {
  const workspace = await workspaceWithText("");
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const offline = new Y.Doc();
  const updates: Uint8Array[] = [];
  Y.applyUpdate(offline, Y.encodeStateAsUpdate(ada.document));
  offline.on("update", (update) => updates.push(update));
  offline.getText("content").insert(0, "a");
  offline.getText("content").insert(1, "b".repeat(70_000));
  sendUpdate(ada, updates[1] ?? new Uint8Array());
  Y.applyUpdate(ada.document, Y.mergeUpdates(updates));
  await ada.saved();
  await eventually(async () => expect(await readContent(workspace)).toMatchObject({ data: getText(ada) }));
});

test("a message of more than 12 MiB closes its socket with 1009 while it arrives, and is counted", async () => {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const write = promisify<Buffer | string, void>((data, done) => void socket.write(data, done));
  const key = Buffer.alloc(16).toString("base64");
  const headers = { Host: hostname, Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13 };
  const lines = Object.entries({ ...headers, "Sec-WebSocket-Key": key }).map(([name, value]) => `${name}: ${value}`);
  await write(["GET /v2/crdt/sync HTTP/1.1", ...lines, "", ""].join("\r\n"));
  const [response] = await once(socket, "data");
  expect(String(response)).toContain(" 101 ");
  socket.pause();
  // A masked binary message of 20 MiB, then 1 MiB at a time.
  await write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0x01, 0x40, 0, 0, 0, 0, 0, 0]));
  for (let count = 0; count < 20; count++) await write(Buffer.alloc(MIB));
  const frames: Buffer[] = [];
  socket.on("data", (data) => frames.push(data)).resume();
  // There may be a ping before.
  const closeFrame = Buffer.from([0x88, 2, 1009 >> 8, 1009 & 0xff]);
  await eventually(() => expect(Buffer.concat(frames).subarray(-closeFrame.length)).toEqual(closeFrame));
  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toMatch(/^colloquy_sync_closings_total\{reason="update_too_large"\} \d+$/m);
});

test("a document of more than 10 MiB is rejected with a reason, and stays as it was", async () => {
  const workspace = await workspaceWithText("");
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const million = "x".repeat(1_000_000);
  for (let count = 0; count < 10; count++) type(ada, million, 0);
  await ada.saved();
  type(ada, million, 0);
  expect(await getRejection(ada)).toBe("document_too_large");
  const grace = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  expect(getText(grace)).toHaveLength(10_000_000);
});

test("a document of more than 250,000 values is rejected with a reason", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "array", data: [] });
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const list = ada.document.getArray("content");
  for (let count = 0; count < 2; count++) list.push(Array(125_000).fill(1));
  await ada.saved();
  list.push([1]);
  expect(await getRejection(ada)).toBe("document_too_large");
});

test("what others write into an open document counts for its limits", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "array", data: [] });
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  const list = ada.document.getArray("content");
  list.push([1]);
  await ada.saved();
  await updateContent(workspace, { type: "array", data: Array(45_000).fill({ a: 1 }) });
  await expect.poll(() => list.length).toBe(45_000);
  list.push(Array(125_000).fill(3));
  await ada.saved();
  list.push(Array(40_000).fill(4));
  expect(await getRejection(ada)).toBe("document_too_large");
});

test("a document that a page may not open leaves nothing in memory", async () => {
  const workspace = await workspaceWithText();
  const destroy = vi.spyOn(Document.prototype, "destroy");
  onTestFinished(() => destroy.mockRestore());
  const name = documentName({ ...COLLABORATIVE_DOCUMENT, editorId: "missing" });
  const ada = openPage(address, { token: await tokenFor(workspace, "ada"), name });
  expect(await getRejection(ada)).toBe("not_found");
  // Other documents are destroyed meanwhile.
  const destroyed = destroy.mock.contexts.filter((document) => Object(document).name === name);
  expect(destroyed).toHaveLength(1);
});

test("an update that Yjs cannot read closes the document with a reason", async () => {
  const workspace = await workspaceWithText();
  const ada = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
  sendUpdate(ada, new Uint8Array([9, 9, 9]));
  expect(await getRejection(ada)).toBe("update_invalid");
});

test("a socket whose first message has no token is closed at once, with a reason", async () => {
  const socket = new WebSocket(`${address.replace("http", "ws")}/v2/crdt/sync`);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.once("open", () => socket.send(Buffer.from("hello")));
  const startedAt = performance.now();
  expect(await closed).toBe(1008);
  // A side that does not read what the other sends waits for 30 s.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test("a socket without a token is cut off before a message of it has taken much memory", async () => {
  const socket = new WebSocket(`${address.replace("http", "ws")}/v2/crdt/sync`);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.once("open", () => socket.send(Buffer.alloc(2 * MIB)));
  socket.on("error", () => {});
  expect(await closed).toBe(1006);
});

/** Sends an update that the page itself does not have. */
function sendUpdate({ document }: SyncedPage, update: Uint8Array): void {
  document.emit("update", [update, null, document, new Y.Transaction(document, null, true)]);
}
