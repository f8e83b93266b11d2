import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from "lib0/encoding";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { documentName, getText, openSyncedPage, type } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { countMerged, mergeUpdates } from "./merged-updates.ts";

const service = await startTestService();
const [SYNC, CURSOR, AUTHENTICATION, CLOSE] = [0, 1, 2, 7];
const TOKEN = 0;
const [STEP_1, UPDATE] = [0, 2];

/** Returns the updates of a document, one for each letter that is typed. */
function getUpdates(text: string): Uint8Array[] {
  const document = new Y.Doc();
  const updates: Uint8Array[] = [];
  document.on("update", (update: Uint8Array) => updates.push(update));
  for (const letter of text) document.getText("content").insert(document.getText("content").length, letter);
  return updates;
}

function message(types: number[], bytes: Uint8Array = new Uint8Array(), address = "a"): Uint8Array {
  const encoder = createEncoder();
  writeVarString(encoder, address);
  for (const number of types) writeVarUint(encoder, number);
  writeVarUint8Array(encoder, bytes);
  return toUint8Array(encoder);
}

const updateMessage = (update: Uint8Array, address?: string) => message([SYNC, UPDATE], update, address);

async function workspaceWithText(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "" });
  return workspace;
}

test("updates that arrive together become one message, at the place of the first", () => {
  const [one, two, three] = getUpdates("abc").map((update) => updateMessage(update));
  const cursor = message([CURSOR]);
  const [merged, ...others] = mergeUpdates([one, cursor, two, cursor, three].filter((part) => part !== undefined));
  expect(others).toEqual([cursor, cursor]);
  expect(countMerged(merged ?? new Uint8Array())).toBe(3);
});

test("updates of another document, and around other messages, are not merged", () => {
  const [one, two] = getUpdates("ab");
  if (!one || !two) throw new Error("there are two updates");
  for (const between of [[message([SYNC, STEP_1])], [message([CLOSE])], [new Uint8Array([255])]]) {
    const messages = [updateMessage(one), ...between, updateMessage(two)];
    expect(mergeUpdates(messages)).toEqual(messages);
  }
  const ofTwo = [updateMessage(one, "a"), updateMessage(two, "b")];
  expect(mergeUpdates(ofTwo)).toEqual(ofTwo);
});

test("large updates, and those that Yjs cannot read, stay as they are", () => {
  const large = getUpdates("x").map((update) => new Uint8Array([...update, ...new Uint8Array(40_000)]));
  const messages = [...large, ...large].map((update) => updateMessage(update));
  expect(mergeUpdates(messages)).toEqual(messages);
  const invalid = [new Uint8Array([9, 9, 9]), ...getUpdates("a")].map((update) => updateMessage(update));
  expect(mergeUpdates(invalid)).toEqual(invalid);
});

test("a page that sends many updates at once gets each acknowledged after few commits", async () => {
  const workspace = await workspaceWithText();
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  const grace = await openSyncedPage(service.address, { token: await tokenFor(workspace, "grace") });
  const text = "0123456789".repeat(30);
  for (const letter of text) type(page, letter);
  await page.saved();
  expect(await readContent(workspace)).toMatchObject({ data: text });
  await eventually(() => expect(getText(grace)).toBe(text));
  const key = organizationKey(workspace.id, COLLABORATIVE_DOCUMENT.organizationId);
  const logged = await runSql(service.database, "select from crdt_updates where organization_key = $1", [key]);
  expect(logged.length).toBeLessThan(text.length / 10);
});

test("updates that change nothing are acknowledged, too", async () => {
  const workspace = await workspaceWithText();
  const token = await tokenFor(workspace, "ada");
  const socket = new WebSocket(`${service.address.replace("http", "ws")}/v2/crdt/sync`);
  onTestFinished(() => socket.close());
  const received: number[][] = [];
  socket.on("message", (data: Buffer) => received.push([...data.subarray(1 + documentName().length)]));
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(message([AUTHENTICATION, TOKEN], Buffer.from(token), documentName()));
  await eventually(() => expect(received.length).toBeGreaterThan(0));
  const empty = updateMessage(new Uint8Array([0, 0]), documentName());
  for (let sent = 0; sent < 20; sent++) socket.send(empty);
  const [SYNC_STATUS, SAVED] = [8, 1];
  const acknowledged = () => received.filter(([kind, state]) => kind === SYNC_STATUS && state === SAVED);
  await eventually(() => expect(acknowledged()).toHaveLength(20));
});
