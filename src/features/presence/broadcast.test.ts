import { expect, test } from "vitest";
import { openEventStream } from "../../../test/event-streams.ts";
import { eventually } from "../../../test/eventually.ts";
import { SCOPE } from "../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../test/harness.ts";
import { removeGrant } from "../../../test/permissions.ts";
import { readPresence } from "../../../test/presence.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import type { Api } from "../../operations.ts";

const PATH = "/v2/presence/broadcast";
const service = await startOwnTestService(({ limits }) => ({ limits: { ...limits, lingeringMs: 200 } }));
const second = await service.secondProcess();
const { documentId } = SCOPE;
const VIEWER = [{ type: "document" as const, id: documentId, organizationId: "acme", accessRole: "viewer" as const }];

type Request = Api[typeof PATH]["request"];

async function workspaceWithDocument(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const documents = [{ documentId }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", documents });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  return workspace;
}

/** Opens a stream of the document with the data of its users, as a viewer. Returns what arrives. */
async function open(workspace: TestWorkspace, userId: string, { address }: { address: string } = service) {
  const token = await tokenFor(workspace, userId, { resources: VIEWER });
  const query = { documentId, presenceData: "true" };
  const stream = await openEventStream(workspace, address, { query, headers: { authorization: `Bearer ${token}` } });
  const received = () =>
    stream.received.flatMap(({ event, data = "" }) => (event === "presence.data" ? [JSON.parse(data)] : []));
  /** Returns the last data of each connection, as a page would show it. */
  const shown = () => {
    const state = new Map<string, unknown>();
    for (const { connections, isComplete } of received()) {
      if (isComplete) state.clear();
      for (const { userId, connectionId, data } of connections) {
        if (data === undefined) state.delete(`${userId} ${connectionId}`);
        else state.set(`${userId} ${connectionId}`, data);
      }
    }
    return Object.fromEntries(state);
  };
  const send = (fields: Partial<Request>, at: { address: string } = service) =>
    callWith(token, `${at.address}${PATH}`, { ...SCOPE, connectionId: "a", ...fields });
  await eventually(() => expect(received()).toHaveLength(1));
  return { ...stream, token, presence: received, shown, send };
}

function sendAsBackend(workspace: TestWorkspace, fields: Partial<Request> = {}) {
  return workspace.data(PATH, { ...SCOPE, userId: "bot", connectionId: "a", data: {}, ...fields });
}

test("viewers see at once what others share, also at another process, and it is stored nowhere", async () => {
  const workspace = await workspaceWithDocument();
  const [ada, grace] = [await open(workspace, "ada"), await open(workspace, "grace", second)];
  expect(await ada.send({ data: { x: 1 } })).toMatchObject({ httpStatus: 200 });
  await eventually(() => expect(grace.shown()).toEqual({ "ada a": { x: 1 } }));
  await ada.send({ data: { y: 2 } }, second);
  await eventually(() => expect(grace.shown()).toEqual({ "ada a": { y: 2 } }));
  await eventually(() => expect(ada.shown()).toEqual({ "ada a": { y: 2 } }));
  expect(grace.presence().at(-1)).toEqual({ ...SCOPE, connections: [expect.any(Object)] });
  expect(await readPresence(workspace)).not.toContainEqual(expect.objectContaining({ data: expect.anything() }));
  const { events } = await workspace.data("/v2/events/get", { organizationId: "acme", cursor: grace.lastId() });
  expect(events).toEqual([]);
});

test("a newcomer at any process gets the data of all connections first, and one who resumes too", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  await ada.send({ data: { x: 1 } });
  await ada.send({ connectionId: "b", data: { x: 2 } });
  const shared = { "ada a": { x: 1 }, "ada b": { x: 2 } };
  await eventually(() => expect(ada.shown()).toEqual(shared));
  for (const at of [service, second]) {
    const grace = await open(workspace, "grace", at);
    expect(grace.presence()).toMatchObject([{ isComplete: true, connections: [{ userId: "ada" }, { userId: "ada" }] }]);
    expect(grace.shown()).toEqual(shared);
    const authorization = `Bearer ${grace.token}`;
    const query = { documentId, presenceData: "true" };
    const headers = { authorization, "last-event-id": grace.lastId() };
    const again = await openEventStream(workspace, at.address, { query, headers });
    await eventually(() => expect(again.received.map(({ event }) => event)).toContain("presence.data"));
  }
});

test("data leaves by a call without data, and when the last connection of its user closes", async () => {
  const workspace = await workspaceWithDocument();
  const grace = await open(workspace, "grace", second);
  const [ada, other] = [await open(workspace, "ada"), await open(workspace, "ada", second)];
  await ada.send({ data: { x: 1 } });
  await other.send({ connectionId: "b", data: { x: 2 } });
  await eventually(() => expect(Object.keys(grace.shown())).toEqual(["ada a", "ada b"]));
  await ada.send({});
  await eventually(() => expect(grace.shown()).toEqual({ "ada b": { x: 2 } }));
  for (const { close } of [ada, other]) close();
  await eventually(() => expect(grace.shown()).toEqual({}));
  expect((await open(workspace, "linus")).shown()).toEqual({});
});

test("removing a user from the list removes the data too", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  await ada.send({ data: { x: 1 } });
  await eventually(() => expect(ada.shown()).toEqual({ "ada a": { x: 1 } }));
  await workspace.data("/v2/presence/delete", { ...SCOPE, userIds: ["ada"] });
  await eventually(() => expect(ada.shown()).toEqual({}));
});

test("what is sent 60 times a second is delivered as the newest of each moment", async () => {
  const workspace = await workspaceWithDocument();
  const grace = await open(workspace, "grace");
  const calls = Array.from({ length: 60 }, (_, x) => sendAsBackend(workspace, { data: { x } }));
  await Promise.all(calls);
  await eventually(() => expect(grace.shown()).toEqual({ "bot a": { x: expect.any(Number) } }));
  await sendAsBackend(workspace, { data: { x: "last" } });
  await eventually(() => expect(grace.shown()).toEqual({ "bot a": { x: "last" } }));
  expect(grace.presence().length).toBeLessThan(30);
});

test("only who may read the document shares data in it and receives it", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  const denied = { httpStatus: 403, body: { error: { details: { reason: "access_denied" } } } };
  const stranger = await tokenFor(workspace, "stranger");
  const send = (token: string, fields: object) =>
    callWith(token, `${service.address}${PATH}`, { ...SCOPE, connectionId: "a", data: {}, ...fields });
  expect(await send(stranger, {})).toMatchObject(denied);
  expect(await send(ada.token, { documentId: "other" })).toMatchObject(denied);
  expect(await send(ada.token, { organizationId: "globex" })).toMatchObject(denied);
  expect(await send(ada.token, { userId: "grace" })).toMatchObject({
    body: { error: { details: { reason: "identity_mismatch" } } },
  });
  await sendAsBackend(workspace, { documentId: "other", data: { secret: 1 } });
  await sendAsBackend(workspace, { organizationId: "globex", data: { secret: 1 } });
  await sendAsBackend(await service.workspace(), { data: { secret: 1 } });
  await sendAsBackend(workspace, { data: { x: 1 } });
  await eventually(() => expect(ada.shown()).toEqual({ "bot a": { x: 1 } }));
});

test("a user whose access ends receives nothing more", async () => {
  const workspace = await workspaceWithDocument();
  const [ada, grace] = [await open(workspace, "ada"), await open(workspace, "grace", second)];
  await removeGrant(workspace, "grace", `document ${documentId}`);
  await grace.ended;
  const before = grace.presence().length;
  await ada.send({ data: { x: 1 } });
  await eventually(() => expect(ada.shown()).toEqual({ "ada a": { x: 1 } }));
  expect(grace.presence()).toHaveLength(before);
  expect(await grace.send({ data: {} })).toMatchObject({ httpStatus: 403 });
});

test("streams that do not ask for the data get none, and waiting calls cannot ask for it", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  const headers = { authorization: `Bearer ${ada.token}` };
  const plain = await openEventStream(workspace, service.address, { query: { documentId }, headers });
  await ada.send({ data: { x: 1 } });
  await eventually(() => expect(ada.shown()).toEqual({ "ada a": { x: 1 } }));
  expect(plain.received.filter(({ event }) => event === "presence.data")).toEqual([]);
  expect(await workspace.error("/v2/events/get", { ...SCOPE, presenceData: true })).toMatchObject({
    message: expect.stringContaining("data.presenceData is only a parameter of the stream"),
  });
});

const ODD =
  '{"__proto__":{"x":[null]},"constructor":1,"":{"\\u0000":"\\u0000"},"s":"\\ud800","quote":"\\"\\\\","n":1e21}';

test("any JSON object of 2 KiB arrives unchanged", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  await ada.send({ data: JSON.parse(ODD) });
  await eventually(() => expect(JSON.stringify(ada.shown()["ada a"])).toBe(JSON.stringify(JSON.parse(ODD))));
  const largest = { text: `x${"é".repeat(1018)}` };
  expect(Buffer.byteLength(JSON.stringify(largest))).toBe(2048);
  await ada.send({ data: largest });
  await eventually(() => expect(ada.shown()).toEqual({ "ada a": largest }));
  // Nothing doubles its size in a notification of the database as much as this.
  const quotes = { text: '"'.repeat(1018) };
  const longIds = { userId: "😀".repeat(128), documentId: "é".repeat(256), connectionId: "c".repeat(64) };
  await sendAsBackend(workspace, { ...longIds, data: quotes });
});

test.each([
  ["data", { text: `x${"é".repeat(1019)}` }],
  ["data", [1]],
  ["data", "cursor"],
  ["data", null],
])("an invalid %s is INVALID_ARGUMENT, and nothing is shared", async (name, value) => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  const { httpStatus, body } = await callWith(ada.token, `${service.address}${PATH}`, {
    ...{ ...SCOPE, connectionId: "a", data: {} },
    [name]: value,
  });
  expect([httpStatus, Object(body).error.message]).toEqual([400, expect.stringContaining(`data.${name} `)]);
  await sendAsBackend(workspace);
  await eventually(() => expect(ada.shown()).toEqual({ "bot a": {} }));
});

test.each(["", "a b", "x".repeat(65), "é"])("the connection %j is INVALID_ARGUMENT", async (connectionId) => {
  const workspace = await workspaceWithDocument();
  const error = await workspace.error(PATH, { ...SCOPE, userId: "bot", connectionId, data: {} });
  const message = "data.connectionId must have 1 to 64 letters, digits, _ and -";
  expect(error).toMatchObject({ httpStatus: 400, message: expect.stringContaining(message) });
});

test("data that is nested too deeply is INVALID_ARGUMENT", async () => {
  const workspace = await workspaceWithDocument();
  const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;
  const body = JSON.stringify({ data: { ...SCOPE, userId: "bot", connectionId: "a", data: 0 } }).replace(
    /0(?=\}\}$)/,
    deep,
  );
  expect(await workspace.call(PATH, body)).toMatchObject({ httpStatus: 400 });
});

test("the request log has only what is rejected", async () => {
  const workspace = await workspaceWithDocument();
  await sendAsBackend(workspace);
  await workspace.error(PATH, { ...SCOPE, userId: "bot", connectionId: "", data: {} });
  await workspace.data("/v2/presence/get", SCOPE);
  await eventually(async () => {
    const requests = await workspace.data("/v2/workspace/requests/get", {});
    const logged = requests.map(({ operation, status }) => `${operation} ${status}`);
    expect(logged).toEqual(expect.arrayContaining([`${PATH} INVALID_ARGUMENT`, "/v2/presence/get OK"]));
    expect(logged).not.toContain(`${PATH} OK`);
  });
});

test("a disabled document rejects data", async () => {
  const workspace = await workspaceWithDocument();
  const change = { organizationId: "acme", documentIds: [documentId], disabled: true };
  await workspace.data("/v2/organizations/documents/access/disablestate/update", change);
  expect(await workspace.error(PATH, { ...SCOPE, userId: "bot", connectionId: "a", data: {} })).toMatchObject({
    details: { reason: "document_disabled" },
  });
});

test("a user has the data of ten connections, the newest, and a document that of 200", async () => {
  const workspace = await workspaceWithDocument();
  const ada = await open(workspace, "ada");
  for (let index = 0; index <= 10; index += 1) await sendAsBackend(workspace, { connectionId: `c${index}` });
  await eventually(() => {
    expect(Object.keys(ada.shown())).toEqual(Array.from({ length: 10 }, (_, index) => `bot c${index + 1}`));
  });
  const users = Array.from({ length: 190 }, (_, index) => `user-${index}`);
  await Promise.all(users.map((userId) => sendAsBackend(workspace, { userId })));
  await eventually(() => expect(Object.keys(ada.shown())).toHaveLength(200));
  const full = { status: "FAILED_PRECONDITION", details: { reason: "limit_reached" } };
  const further = { ...SCOPE, userId: "further", connectionId: "a", data: {} };
  expect(await workspace.error(PATH, further)).toMatchObject(full);
  await sendAsBackend(workspace, { userId: "user-0", data: { x: 1 } });
  await workspace.data(PATH, { ...SCOPE, userId: "user-1", connectionId: "a" });
  await eventually(() => expect(Object.keys(ada.shown())).toHaveLength(199));
  await workspace.data(PATH, further);
});
