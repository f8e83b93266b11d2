import pino from "pino";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import * as Y from "yjs";
import { addContent, readContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { documentName, getText, openSyncedPage, type } from "../../../../test/sync.ts";
import {
  encodeMessage,
  encodeStateRequest,
  encodeStates,
  encodeToken,
  encodeUpdate,
  openAuthenticatedSocket,
  openSyncSocket,
  STEP_1,
  STEP_2,
  TYPES,
} from "../../../../test/sync-messages.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { OwnAwareness } from "./own-awareness.ts";

const lines: string[] = [];
const service = await startOwnTestService(
  () => ({}),
  pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
);
const { address } = service;
const { SYNC, AWARENESS, AUTHENTICATION } = TYPES;
const INVALID = { code: 1008, reason: "message_invalid" };
/** A number of five bytes that never ends in a message. */
const HUGE = [0xff, 0xff, 0xff, 0xff, 0x0f];

/** Hocuspocus prints what it cannot handle. */
const printing = (["error", "warn", "log", "info"] as const).map((method) => vi.spyOn(console, method));

afterEach(() => {
  for (const spy of printing) expect(spy).not.toHaveBeenCalled();
});

async function workspaceWithText(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  return workspace;
}

async function countClosings(reason: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^colloquy_sync_closings_total\\{reason="${reason}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

const name = [...encodeMessage([])];

test.each<[string, Uint8Array]>([
  ["is empty", new Uint8Array()],
  ["has no type", encodeMessage([])],
  ["ends within its address", new Uint8Array([200, 1, 97])],
  ["has an address of 4 GiB", new Uint8Array([...HUGE, 97])],
  ["has an address that is not UTF-8", new Uint8Array([2, 0xc3, 0x28, 0])],
  ["has an empty session", encodeMessage([TYPES.CLOSE], undefined, `${documentName()}\0`)],
  ["ends within a number", new Uint8Array([...name, 0x80])],
  ["has a number that is too large", new Uint8Array([...name, ...Array(12).fill(0xff), 1])],
  ["has an unknown type", encodeMessage([77])],
  ["has a type that servers send each other", encodeMessage([6], Buffer.from("hello"))],
  ["replies to a server", encodeMessage([4, STEP_1], new Uint8Array([0]))],
  ["reports what is saved, as servers do", encodeMessage([TYPES.SYNC_STATUS, 1])],
  ["is a ping", encodeMessage([9])],
  ["grants access, as servers do", encodeMessage([AUTHENTICATION, 2], Buffer.from("read-write"))],
  ["has a token that ends too early", new Uint8Array([...name, AUTHENTICATION, 0, 100, 97])],
  ["has an unknown kind of synchronization", encodeMessage([SYNC, 9], new Uint8Array([0]))],
  ["has no state vector", encodeMessage([SYNC, STEP_1])],
  ["has a state vector that ends too early", encodeMessage([SYNC, STEP_1], new Uint8Array([3, 1, 1]))],
  ["has a state vector of 4,294,967,295 clients", encodeMessage([SYNC, STEP_1], new Uint8Array(HUGE))],
  ["has a state vector of 600 KB", encodeMessage([SYNC, STEP_1], new Uint8Array(600_000))],
  ["has more than a state vector", new Uint8Array([...encodeMessage([SYNC, STEP_1], new Uint8Array([0])), 0])],
  ["has an update of 4 GiB", new Uint8Array([...name, SYNC, 2, ...HUGE, 1, 2, 3])],
  ["has states of 4 GiB", new Uint8Array([...name, AWARENESS, ...HUGE, 1])],
  ["has 4,294,967,295 states", encodeMessage([AWARENESS], new Uint8Array(HUGE))],
  ["has a state that ends too early", encodeMessage([AWARENESS], new Uint8Array([1, 5, 1, 90, 123]))],
  ["has a state that is not JSON", encodeMessage([AWARENESS], new Uint8Array([1, 5, 1, 2, 123, 123]))],
  ["has a state that is not an object", encodeMessage([AWARENESS], new Uint8Array([1, 5, 1, 1, 49]))],
  ["closes with more than that", new Uint8Array([...encodeMessage([TYPES.CLOSE]), 1])],
])("a message that %s closes the socket with a reason, is logged and counted", async (_title, message) => {
  const workspace = await workspaceWithText();
  const { send, closed } = await openAuthenticatedSocket(address, await tokenFor(workspace, "ada"));
  const before = await countClosings("message_invalid");
  lines.length = 0;
  send(message);
  expect(await closed).toEqual(INVALID);
  expect(await countClosings("message_invalid")).toBe(before + 1);
  expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 20)).toEqual([]);
  expect(lines.join()).toContain('"reason":"message_invalid"');
});

test("a malformed message before the token closes the socket, too", async () => {
  const { send, closed } = await openSyncSocket(address);
  send(new Uint8Array());
  expect(await closed).toEqual(INVALID);
});

test.each(["constructor", "__proto__", "toString", "a/b", ""])("a document named %j is rejected", async (wrongName) => {
  const workspace = await workspaceWithText();
  const { socket, send } = await openAuthenticatedSocket(address, await tokenFor(workspace, "ada"));
  const denials: Buffer[] = [];
  socket.on("message", (data: Buffer) => denials.push(data));
  send(encodeMessage([SYNC, STEP_1], new Uint8Array([0]), "unknown"));
  send(encodeToken(await tokenFor(workspace, "ada"), wrongName));
  await eventually(() => expect(denials.join()).toContain("document_name_invalid"));
  expect(socket.readyState).toBe(socket.OPEN);
});

test.each([
  ["with a session", `${documentName()}\0a`, documentName()],
  ["without a session", documentName(), `${documentName()}\0a`],
])("a document that is open %s is rejected under its other address on the same socket", async (_title, open, other) => {
  const token = await tokenFor(await workspaceWithText(), "ada");
  const { send, socket } = await openSyncSocket(address);
  const received: string[] = [];
  socket.on("message", (data: Buffer) => received.push(String(data)));
  send(encodeToken(token, open), encodeMessage([SYNC, STEP_1], new Uint8Array([0]), open), encodeToken(token, other));
  await eventually(() => expect(received.join()).toContain("document_name_invalid"));
  received.length = 0;
  send(encodeMessage([SYNC, STEP_1], new Uint8Array([0]), open));
  await eventually(() => expect(received.join()).toContain("content"));
});

test("an error of the service while it handles a message is logged, and the client connects again", async () => {
  const token = await tokenFor(await workspaceWithText(), "ada");
  const { send, closed } = await openAuthenticatedSocket(address, token);
  const select = vi.spyOn(OwnAwareness.prototype, "select").mockImplementation(() => {
    throw new TypeError("broken");
  });
  onTestFinished(() => select.mockRestore());
  lines.length = 0;
  send(encodeStates([{ clientId: 1, json: "{}" }]));
  expect(await closed).toEqual({ code: 1013, reason: "unavailable" });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ level: 40 }));
});

test("a viewer learns whether the document has what it synchronizes", async () => {
  const workspace = await workspaceWithText();
  const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
  const token = await tokenFor(workspace, "grace", { resources });
  const { document } = await openSyncedPage(address, { token });
  const { send, received } = await openAuthenticatedSocket(address, token);
  const acknowledged = () => received.filter(([type]) => type === TYPES.SYNC_STATUS).map(([, isSaved]) => isSaved);
  const sendState = () => send(encodeMessage([SYNC, STEP_2], Y.encodeStateAsUpdate(document)));
  sendState();
  document.getText("content").insert(0, "not ");
  sendState();
  document.getText("content").delete(0, 4);
  sendState();
  await eventually(() => expect(acknowledged()).toEqual([1, 0, 0]));
  expect(await readContent(workspace)).toMatchObject({ data: "one" });
});

test.each<[string, string, (state: Uint8Array) => Uint8Array]>([
  ["ends early", "update_invalid", (state) => state.subarray(0, -3)],
  ["is not an update", "update_invalid", () => new Uint8Array([9, 9, 9])],
  ["has 4,294,967,295 clients", "update_too_large", () => new Uint8Array(HUGE)],
])(
  "a viewer's state that %s closes the document with a reason, is counted, and harms nobody",
  async (_title, reason, change) => {
    const workspace = await workspaceWithText();
    const page = await openSyncedPage(address, { token: await tokenFor(workspace, "ada") });
    const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
    const { send, received, socket } = await openAuthenticatedSocket(
      address,
      await tokenFor(workspace, "grace", { resources }),
    );
    const before = await countClosings(reason);
    lines.length = 0;
    send(encodeMessage([SYNC, STEP_2], change(Y.encodeStateAsUpdate(page.document))));
    await eventually(() => expect(String(received.find(([kind]) => kind === TYPES.CLOSE))).toContain(reason));
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 20)).toEqual([]);
    expect(await countClosings(reason)).toBe(before + 1);
    expect(socket.readyState).toBe(socket.OPEN);
    type(page, " two");
    await page.saved();
    expect(await readContent(workspace)).toMatchObject({ data: "one two" });
  },
);

test("a state that is rejected is not acknowledged as saved", async () => {
  const workspace = await workspaceWithText();
  const token = await tokenFor(workspace, "ada");
  const { send, received } = await openAuthenticatedSocket(address, token);
  received.length = 0;
  send(encodeMessage([SYNC, STEP_2], new Uint8Array(HUGE)));
  await eventually(() => expect(received.map(([kind]) => kind)).toContain(TYPES.CLOSE));
  // An acknowledgment would come before the response to a later message.
  send(encodeToken(token), encodeStateRequest());
  await eventually(() => expect(received.some(([kind, type]) => kind === SYNC && type === STEP_2)).toBe(true));
  expect(received.map(([kind]) => kind)).not.toContain(TYPES.SYNC_STATUS);
});

test.each([
  ["update_invalid", [9, 9, 9]],
  ["update_too_large", HUGE],
])("a connection that is closed as %s is counted once, however much its client has sent", async (reason, bytes) => {
  const workspace = await workspaceWithText();
  const { send, received } = await openAuthenticatedSocket(address, await tokenFor(workspace, "ada"));
  const before = await countClosings(reason);
  const update = new Uint8Array(bytes);
  send(encodeUpdate(update), encodeMessage([SYNC, STEP_2], update), encodeMessage([SYNC, STEP_2], update));
  await eventually(() => expect(String(received.find(([kind]) => kind === TYPES.CLOSE))).toContain(reason));
  // A later message is handled after those before it.
  const token = await tokenFor(workspace, "ada");
  send(encodeToken(token), encodeStateRequest());
  received.length = 0;
  await eventually(() => expect(received.some(([kind, type]) => kind === SYNC && type === STEP_2)).toBe(true));
  expect(await countClosings(reason)).toBe(before + 1);
});

test("a length in an update that reaches past its message reads nothing of other messages", async () => {
  const workspace = await workspaceWithText();
  const page = await openSyncedPage(address, { token: await tokenFor(workspace, "grace") });
  const { send, received } = await openAuthenticatedSocket(address, await tokenFor(workspace, "ada"));
  // One struct of one client: text under the name `content`, of 100 bytes, which the update does not have.
  const update = new Uint8Array([1, 1, 5, 0, 4, 1, 7, ...Buffer.from("content"), 100, 97]);
  send(encodeUpdate(update), encodeMessage([TYPES.AWARENESS_REQUEST]), encodeUpdate(new Uint8Array(200).fill(98)));
  await eventually(() => expect(received.map(([kind]) => kind)).toContain(TYPES.CLOSE));
  type(page, " two");
  await page.saved();
  expect(getText(page)).toBe("one two");
  expect(await readContent(workspace)).toMatchObject({ data: "one two" });
});

test("documents past 1,000 on a socket close it with a reason", async () => {
  const workspace = await workspaceWithText();
  const { send, closed } = await openAuthenticatedSocket(address, await tokenFor(workspace, "ada"));
  for (let number = 0; number < 1_000; number++) {
    send(encodeMessage([TYPES.CLOSE], undefined, String(number)));
  }
  expect(await closed).toEqual({ code: 1008, reason: "too_many_documents" });
});
