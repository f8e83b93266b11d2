import { expect, test } from "vitest";
import { DocumentProvider } from "../../../../packages/react/src/document-provider.ts";
import { addContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { disconnect, getText, openSyncedPage, type SyncedPage, type } from "../../../../test/sync.ts";
import { encodeStates, openAuthenticatedSocket, TYPES } from "../../../../test/sync-messages.ts";
import { claimsFor, signClaims, tokenFor } from "../../../../test/user-tokens.ts";

const service = await startTestService();
const { address } = service;
const MIB = 1024 * 1024;

async function workspaceWithText(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "" });
  return workspace;
}

/** Returns the users in the states that a page has of others, by client ID. */
function getUsers({ provider, document }: SyncedPage): Map<number, Record<string, unknown>> {
  const states = [...(provider.awareness?.getStates() ?? [])].filter(([clientId]) => clientId !== document.clientID);
  return new Map(states.map(([clientId, { user }]) => [clientId, user]));
}

async function openUserPage(workspace: TestWorkspace, userId: string, at = address): Promise<SyncedPage> {
  const page = await openSyncedPage(at, { token: await tokenFor(workspace, userId), Provider: DocumentProvider });
  page.provider.setAwarenessField("user", { color: "red" });
  return page;
}

const ADA = { userId: "ada", name: "The user ada" };
const VIEWER = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];

test("large states under made-up client IDs close only the connection of who sent them", async () => {
  const workspace = await workspaceWithText();
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
  const ada = await openUserPage(workspace, "ada");
  const token = await tokenFor(workspace, "eve", { resources: VIEWER });
  const eve = await openAuthenticatedSocket(address, token);
  eve.send(encodeStates([{ clientId: 1, json: "{}" }]));
  await eventually(() => expect(getUsers(ada).get(1)).toMatchObject({ userId: "eve" }));
  const json = JSON.stringify({ user: { name: "Grace" }, filler: "x".repeat(4 * MIB) });
  for (let clientId = 2; clientId < 10; clientId++) eve.send(encodeStates([{ clientId, json }]));
  eve.send(encodeStates([{ clientId: 1, clock: 2, json: '{"user":{"last":true}}' }]));
  await eventually(() => expect(getUsers(ada).get(1)).toMatchObject({ last: true }));
  expect([...getUsers(ada).keys()]).toEqual([1]);
  eve.send(encodeStates([{ clientId: 1, clock: 3, json }]));
  await eventually(() => expect(String(eve.received.at(-1))).toContain("awareness_too_large"));
  await eventually(() => expect(getUsers(ada).size).toBe(0));
  type(ada, "typed meanwhile");
  await ada.saved();
  expect(ada.reasons).toEqual([]);
});

test.each([
  ["no address", false, {}],
  ["the address, if the workspace shows it", true, { email: "eve@example.com" }],
])("a state has the user of the token with %s, and what the page adds", async (_title, showUserEmails, address) => {
  const workspace = await workspaceWithText();
  await workspace.data("/v2/workspace/apikeyconfig/update", { showUserEmails });
  const grace = await openUserPage(workspace, "grace");
  const eve = await openUserPage(workspace, "eve");
  const claimed = { userId: "ada", name: "Ada", email: "ada@example.com", color: "blue" };
  eve.provider.awareness?.setLocalState({ user: claimed, cursor: { anchor: 1 } });
  const clientId = eve.document.clientID;
  const seen = { userId: "eve", name: "The user eve", ...address, color: "blue" };
  await eventually(() => expect(getUsers(grace).get(clientId)).toEqual(seen));
  expect(grace.provider.awareness?.getStates().get(clientId)).toMatchObject({ cursor: { anchor: 1 } });
});

test("a user whose token has no name is shown by the user ID", async () => {
  const workspace = await workspaceWithText();
  const grace = await openUserPage(workspace, "grace");
  const ada = await openSyncedPage(address, { token: await signClaims(workspace.apiKey, claimsFor(workspace)) });
  ada.provider.setAwarenessField("user", { name: "Grace" });
  await eventually(() => expect(getUsers(grace).get(ada.document.clientID)).toEqual({ userId: "ada", name: "ada" }));
});

test("nobody changes or removes the state of another user, at this process or another one", async () => {
  const workspace = await workspaceWithText();
  const other = await service.secondProcess();
  const pages = [await openUserPage(workspace, "ada"), await openUserPage(workspace, "ada", other.address)];
  const grace = await openUserPage(workspace, "grace");
  await eventually(() => expect(getUsers(grace).size).toBe(2));
  for (const [index, { document }] of pages.entries()) {
    const { clientID: clientId } = document;
    const eve = await openAuthenticatedSocket(address, await tokenFor(workspace, "eve"));
    eve.send(encodeStates([{ clientId, clock: 1_000, json: '{"user":{"color":"black"}}' }]));
    eve.send(encodeStates([{ clientId, clock: 1_001, json: "null" }]));
    eve.send(encodeStates([{ clientId: index, json: "{}" }]));
    await eventually(() => expect(getUsers(grace).get(index)).toMatchObject({ userId: "eve" }));
    expect(getUsers(grace).get(clientId)).toEqual({ ...ADA, color: "red" });
    eve.socket.close();
    await eventually(() => expect(getUsers(grace).size).toBe(2));
  }
});

test("the client of a user who has left is taken by nobody else", async () => {
  const workspace = await workspaceWithText();
  const [ada, grace] = [await openUserPage(workspace, "ada"), await openUserPage(workspace, "grace")];
  const { clientID: clientId } = ada.document;
  await eventually(() => expect(getUsers(grace).size).toBe(1));
  await disconnect(ada);
  await eventually(() => expect(getUsers(grace).size).toBe(0));
  const eve = await openAuthenticatedSocket(address, await tokenFor(workspace, "eve"));
  eve.send(encodeStates([{ clientId, clock: 2 ** 40, json: "{}" }]), encodeStates([{ clientId: 1, json: "{}" }]));
  await eventually(() => expect([...getUsers(grace).keys()]).toEqual([1]));
  await ada.provider.configuration.websocketProvider.connect();
  await eventually(() => expect(getUsers(grace).get(clientId)).toEqual({ ...ADA, color: "red" }));
});

test("states of others that a page sends back have no effect", async () => {
  const workspace = await workspaceWithText();
  const [ada, grace] = [await openUserPage(workspace, "ada"), await openUserPage(workspace, "grace")];
  await eventually(() => expect(getUsers(ada).size).toBe(1));
  const filler = Array.from({ length: 20 }, (_, index) => ({ clientId: 100 + index, json: '{"a":1}' }));
  const echoed = { clientId: grace.document.clientID, clock: 50, json: `{"big":"${"x".repeat(10_000)}"}` };
  ada.provider.configuration.websocketProvider.send(encodeStates([echoed, ...filler]));
  ada.provider.setAwarenessField("user", { color: "green" });
  await eventually(() => expect(getUsers(grace).get(ada.document.clientID)).toEqual({ ...ADA, color: "green" }));
  expect(getUsers(grace).size).toBe(1);
  expect(ada.reasons).toEqual([]);
});

test("two pages of one user have a state each, and the one that connects again has its own back", async () => {
  const workspace = await workspaceWithText();
  const pages = [await openUserPage(workspace, "ada"), await openUserPage(workspace, "ada")];
  const grace = await openUserPage(workspace, "grace");
  const clientIds = pages.map(({ document }) => document.clientID).toSorted();
  const seen = () => [...getUsers(grace).keys()].toSorted();
  await eventually(() => expect(seen()).toEqual(clientIds));
  const [first] = pages;
  if (!first) throw new Error("there are two pages");
  await disconnect(first);
  await eventually(() => expect(getUsers(grace).size).toBe(1));
  await first.provider.configuration.websocketProvider.connect();
  await eventually(() => expect(seen()).toEqual(clientIds));
  // The socket is cut off, and no provider says goodbye.
  await disconnect(first);
  await eventually(() => expect(seen()).toEqual(clientIds.filter((id) => id !== first.document.clientID)));
  expect(getText(grace)).toBe("");
});

test("a page that opens a document gets the states of its users, and asks for them in vain", async () => {
  const workspace = await workspaceWithText();
  const ada = await openUserPage(workspace, "ada");
  const { received } = await openAuthenticatedSocket(address, await tokenFor(workspace, "grace"));
  const states = () => received.filter(([kind]) => kind === TYPES.AWARENESS).map((message) => String(message));
  await eventually(() => expect(states().join()).toContain("The user ada"));
  expect(ada.reasons).toEqual([]);
});

test("a user whose page removes the state leaves at once, at each process, and may come back", async () => {
  const workspace = await workspaceWithText();
  const other = await service.secondProcess();
  const ada = await openUserPage(workspace, "ada");
  const others = [await openUserPage(workspace, "grace"), await openUserPage(workspace, "linus", other.address)];
  const seen = () => others.map((page) => getUsers(page).get(ada.document.clientID)?.userId);
  await eventually(() => expect(seen()).toEqual(["ada", "ada"]));
  ada.provider.setAwarenessField("cursor", 1);
  ada.provider.awareness?.setLocalState(null);
  // The state of a page that is silent is removed after 30 s.
  await expect.poll(seen, { timeout: 8_000 }).toEqual([undefined, undefined]);
  ada.provider.awareness?.setLocalState({});
  await eventually(() => expect(seen()).toEqual(["ada", "ada"]));
});
