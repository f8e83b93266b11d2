import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, readContent } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { startTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { getText, openSyncedPage, type } from "../../../../test/sync.ts";
import {
  encodeMessage,
  encodeStateRequest,
  encodeStates,
  encodeUpdate,
  openAuthenticatedSocket,
  TYPES,
} from "../../../../test/sync-messages.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { type ClientMessage, readMessage } from "./client-message.ts";
import { countMerged, mergeUpdates } from "./merged-updates.ts";

const service = await startTestService();

/** Returns the updates of a document, one for each letter that is typed. */
function getUpdates(text: string): Uint8Array[] {
  const document = new Y.Doc();
  const updates: Uint8Array[] = [];
  document.on("update", (update: Uint8Array) => updates.push(update));
  for (const letter of text) document.getText("content").insert(document.getText("content").length, letter);
  return updates;
}

function read(bytes: Uint8Array): ClientMessage {
  return readMessage(bytes) ?? expect.fail("the message is malformed");
}

const readUpdate = (update: Uint8Array, address?: string) => read(encodeUpdate(update, address));

async function workspaceWithText(): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "" });
  return workspace;
}

test("updates that arrive together become one message, at the place of the first", () => {
  const [one, two, three] = getUpdates("abc").map((update) => readUpdate(update));
  const cursor = read(encodeStates([]));
  const [merged, ...others] = mergeUpdates([one, cursor, two, cursor, three].filter((part) => part !== undefined));
  expect(others).toEqual([cursor, cursor]);
  expect(countMerged(merged?.bytes ?? new Uint8Array())).toBe(3);
});

test("updates of another document, and around other messages, are not merged", () => {
  const [one, two] = getUpdates("ab");
  if (!one || !two) throw new Error("there are two updates");
  for (const between of [encodeStateRequest(), encodeMessage([TYPES.CLOSE])]) {
    const messages = [readUpdate(one), read(between), readUpdate(two)];
    expect(mergeUpdates(messages)).toEqual(messages);
  }
  const ofTwo = [readUpdate(one, "a"), readUpdate(two, "b")];
  expect(mergeUpdates(ofTwo)).toEqual(ofTwo);
});

test("large updates, and those that Yjs cannot read, stay as they are", () => {
  const large = getUpdates("x").map((update) => new Uint8Array([...update, ...new Uint8Array(40_000)]));
  const messages = [...large, ...large].map((update) => readUpdate(update));
  expect(mergeUpdates(messages)).toEqual(messages);
  const invalid = [new Uint8Array([9, 9, 9]), ...getUpdates("a")].map((update) => readUpdate(update));
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
  const { received, send } = await openAuthenticatedSocket(service.address, token);
  const empty = encodeUpdate(new Uint8Array([0, 0]));
  for (let sent = 0; sent < 20; sent++) send(empty);
  const SAVED = 1;
  const acknowledged = () => received.filter(([kind, state]) => kind === TYPES.SYNC_STATUS && state === SAVED);
  await eventually(() => expect(acknowledged()).toHaveLength(20));
});
