import { expect, test } from "vitest";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { documentName, openPage, openSyncedPage } from "../../../../test/sync.ts";
import {
  encodeMessage,
  encodeStateRequest,
  encodeToken,
  openAuthenticatedSocket,
  openSyncSocket,
  type RawSyncSocket,
  TYPES,
} from "../../../../test/sync-messages.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { LIMITS } from "../../../config/limits.ts";

const MAX_OF_CLIENT = 3;
const MAX_OF_USER = 10;
const service = await startOwnTestService(({ limits }) => ({
  limits: {
    ...limits,
    authenticatedSockets: { maxOfUser: MAX_OF_USER },
    unauthenticatedSockets: { ...LIMITS.unauthenticatedSockets, maxMs: 300, maxOfClient: MAX_OF_CLIENT },
  },
}));
const { address } = service;
const workspace = await service.workspace();
await addContent(workspace, { type: "text", data: "one" });
const token = await tokenFor(workspace, "ada");
const TOKEN_REQUIRED = { code: 1008, reason: "token_required" };
/** Name of a document that does not exist, as long as the one of the other. */
const MISSING = documentName({ ...COLLABORATIVE_DOCUMENT, editorId: "clause-0" });

/** Opens the document, again if a slow machine closed the socket before it had checked the token. */
function open(userToken: string): Promise<RawSyncSocket> {
  return eventually(() => openAuthenticatedSocket(address, userToken));
}

function stateless(bytes: number, name?: string): Uint8Array {
  return encodeMessage([5], new Uint8Array(bytes), name);
}

test("sockets get 5 s for a token and 16 KiB", () => {
  expect(LIMITS.unauthenticatedSockets).toMatchObject({ maxMs: 5_000, maxBytes: 16 * 1024 });
});

test.each([
  ["sends nothing", []],
  ["sends a wrong token", [encodeToken("a.b.c"), encodeStateRequest()]],
])("a socket that %s is closed in time, with a reason", async (_title, messages) => {
  const { send, closed } = await openSyncSocket(address);
  send(...messages);
  expect(await closed).toEqual(TOKEN_REQUIRED);
});

test("a socket whose client does not close it is cut off", async () => {
  const { socket } = await openSyncSocket(address);
  socket.pause();
  const isOpen = async () => (await fetch(`${address}/metrics`)).text().then((text) => /sockets"} [1-9]/.test(text));
  await expect.poll(isOpen).toBe(false);
});

test.each([
  ["a token", []],
  ["a valid token", [encodeToken("a.b.c")]],
])("a socket that sends more than 16 KiB without %s is cut off", async (_title, messages) => {
  const { send, closed, received, socket } = await openSyncSocket(address);
  send(...messages);
  if (messages.length > 0) await eventually(() => expect(String(received)).toContain("user_token_invalid"));
  // A message that has not arrived as a whole counts, too.
  socket.send(new Uint8Array(16 * 1024 + 1), { fin: false });
  expect(await closed).toMatchObject({ code: 1006 });
});

test("bytes behind a token that is rejected count", async () => {
  const { send, closed } = await openSyncSocket(address);
  send(encodeToken("a.b.c"), stateless(16 * 1024));
  expect(await closed).toMatchObject({ code: 1006 });
});

test("a socket without a valid token is closed after its third rejected one", async () => {
  const { send, received, closed } = await openSyncSocket(address);
  send(...Array(20).fill(encodeToken("a.b.c")));
  expect(await closed).toEqual(TOKEN_REQUIRED);
  expect(received).toHaveLength(3);
});

test("a client address has a limited number of sockets without a valid token, and others are not counted", async () => {
  const pages = await Promise.all(Array.from({ length: 2 }, () => openSyncedPage(address, { token })));
  await Promise.all(Array.from({ length: MAX_OF_CLIENT }, () => openSyncSocket(address)));
  await expect(openSyncSocket(address)).rejects.toThrow("429");
  // The others are closed in time.
  await eventually(() => openSyncSocket(address));
  expect(pages.flatMap(({ reasons }) => reasons)).toEqual([]);
});

test("a user has a limited number of sockets at a time", async () => {
  const tokenOfGrace = await tokenFor(workspace, "grace");
  const { socket } = await open(tokenOfGrace);
  for (let count = 1; count < MAX_OF_USER; count++) await open(tokenOfGrace);
  const further = openPage(address, { token: tokenOfGrace });
  await eventually(() => expect(further.reasons).toEqual(["rate_limited"]));
  await open(await tokenFor(workspace, "kurt"));
  socket.terminate();
  await eventually(async () => {
    const { received, send } = await openSyncSocket(address);
    send(encodeToken(tokenOfGrace));
    await eventually(() => expect(received).not.toEqual([]));
    expect(String(received)).not.toContain("rate_limited");
  });
});

test("a socket whose document was denied stays open, and takes another token after a wrong one", async () => {
  const { send, received, socket } = await openSyncSocket(address);
  send(encodeToken("a.b.c"), encodeStateRequest());
  await eventually(() => expect(String(received)).toContain("user_token_invalid"));
  send(encodeToken(token, MISSING), encodeToken(token));
  send(encodeStateRequest());
  await eventually(() => expect(received.map(([type]) => type)).toContain(TYPES.SYNC));
  const denied = openPage(address, { token, name: MISSING });
  await eventually(() => expect(denied.reasons).toEqual(["not_found"]));
  const other = await openSyncSocket(address);
  expect(await other.closed).toEqual(TOKEN_REQUIRED);
  expect(socket.readyState).toBe(socket.OPEN);
  expect(denied.provider.configuration.websocketProvider.status).toBe("connected");
});

test("messages for documents without a token are limited on every socket, and dropped after a denial", async () => {
  const { send, closed, received } = await open(token);
  send(encodeToken(token, MISSING));
  await eventually(() => expect(String(received)).toContain("not_found"));
  for (let count = 0; count < 10; count++) send(stateless(10_000, MISSING));
  const { length } = received;
  send(encodeStateRequest());
  await eventually(() => expect(received.length).toBeGreaterThan(length));
  send(stateless(10_000, "acme/other/a"), stateless(10_000, "acme/other/b"));
  expect(await closed).toEqual(TOKEN_REQUIRED);
});

test("messages for a document whose token is checked do not count for those without a token", async () => {
  const { send, received, socket } = await openSyncSocket(address);
  send(encodeToken(token), stateless(15_000), stateless(2_000, "acme/other/a"), encodeStateRequest());
  await eventually(() => expect(received.map(([type]) => type)).toContain(TYPES.SYNC));
  expect(socket.readyState).toBe(socket.OPEN);
});

test("a large synchronization right behind the token is accepted", async () => {
  const { send, received } = await openSyncSocket(address);
  const clients = 5_000;
  const vector = new Uint8Array(2 + 3 * clients);
  vector.set([0x80 | (clients & 0x7f), clients >> 7]);
  for (let client = 0; client < clients; client++) vector.set([0x80 | (client & 0x7f), client >> 7, 1], 2 + 3 * client);
  send(encodeToken(token), encodeMessage([TYPES.SYNC, 0], vector));
  await eventually(() => expect(received.map(([type]) => type)).toContain(TYPES.SYNC));
});
