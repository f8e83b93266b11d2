import { expect, test } from "vitest";
import * as Y from "yjs";
import {
  addContent,
  COLLABORATIVE_DOCUMENT,
  type Content,
  loadYjsDocument,
  readContent,
  updateContent,
} from "../../../test/crdt.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { openSyncedPage } from "../../../test/sync.ts";
import { tokenFor } from "../../../test/user-tokens.ts";
import { changeYjsDocument } from "./yjs-document.ts";

const PATH = "/v2/crdt/update";
type Data = Content["data"];
const service = await startTestService();

/** Opens the document in a page of Ada's. */
async function openPageOf(workspace: TestWorkspace) {
  return await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
}

function getArray(document: Y.Doc): Y.Array<Y.Map<unknown>> {
  return document.getArray("content");
}

const MERGES: [type: Content["type"], before: Data, type: (page: Y.Doc) => void, sent: Data, after: Data][] = [
  [
    "text",
    "Title\nFirst paragraph.\n",
    (page) => page.getText("content").insert(23, "Ada's paragraph.\n"),
    "New title\nFirst paragraph.\n",
    "New title\nFirst paragraph.\nAda's paragraph.\n",
  ],
  ["text", "one two three", (page) => page.getText("content").delete(3, 4), "one two three four", "one three four"],
  [
    "map",
    { title: "old", card: { done: false } },
    (page) => page.getMap<Y.Map<unknown>>("content").get("card")?.set("by", "ada"),
    { title: "new", card: { done: true } },
    { title: "new", card: { done: true, by: "ada" } },
  ],
  [
    "array",
    [{ id: 1, n: 1 }, { id: 2 }],
    (page) => {
      getArray(page).get(0).set("n", 7);
      getArray(page).push([new Y.Map([["id", 3]])]);
    },
    [{ id: 1, n: 1, done: true }, { id: 2 }],
    [{ id: 1, n: 7, done: true }, { id: 2 }, { id: 3 }],
  ],
  [
    "xml",
    "<heading>Title</heading><paragraph>First</paragraph>",
    (page) => {
      const paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText("Ada")]);
      page.getXmlFragment("content").push([paragraph]);
    },
    "<heading>New title</heading><paragraph>First</paragraph>",
    "<heading>New title</heading><paragraph>First</paragraph><paragraph>Ada</paragraph>",
  ],
];

test.each(MERGES)("an update of %s from the state that was read keeps what was typed since", async (...merge) => {
  const [type, data, edit, sent, expected] = merge;
  const workspace = await service.workspace();
  await addContent(workspace, { type, data });
  const { state } = await readContent(workspace);
  const page = await openPageOf(workspace);
  edit(page.document);
  await page.saved();
  await updateContent(workspace, { type, data: sent, state });
  expect((await readContent(workspace)).data).toEqual(expected);
  const stored = await loadYjsDocument(workspace);
  await expect.poll(() => Y.encodeStateVector(page.document)).toEqual(Y.encodeStateVector(stored));
});

test("several updates from one state are all kept", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "one\ntwo\nthree\n" });
  const { state } = await readContent(workspace);
  await updateContent(workspace, { type: "text", data: "1\ntwo\nthree\n", state });
  await updateContent(workspace, { type: "text", data: "one\ntwo\n3\n", state });
  await updateContent(workspace, { type: "text", data: "one\ntwo\nthree\nfour\n", state });
  expect((await readContent(workspace)).data).toBe("1\ntwo\n3\nfour\n");
});

test("updates from the newest state leave the document with one writer", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "version 0" });
  for (let number = 1; number <= 10; number++) {
    const { state } = await readContent(workspace);
    await updateContent(workspace, { type: "text", data: `version ${number}`, state });
  }
  expect((await loadYjsDocument(workspace)).store.clients.size).toBe(1);
  expect((await readContent(workspace)).data).toBe("version 10");
});

test("a repeated update from a state is merged once if it has an Idempotency-Key", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "title" });
  const { state } = await readContent(workspace);
  const request = { ...COLLABORATIVE_DOCUMENT, type: "text", data: "new title", state };
  const headers = { "idempotency-key": "once" };
  for (let count = 0; count < 2; count++) await workspace.call(PATH, request, headers);
  expect((await readContent(workspace)).data).toBe("new title");
});

test("a state may have updates of a page that wait for earlier ones, which are merged once these arrive", () => {
  const content = { type: "text" as const, contentKey: "content" };
  const { state, clientId } = changeYjsDocument({ ...content, data: "abc" });
  const page = new Y.Doc();
  Y.applyUpdate(page, state);
  const updates: Uint8Array[] = [];
  page.on("update", (update) => updates.push(update));
  page.getText("content").insert(3, "d");
  page.getText("content").insert(4, "e");
  const [first = state, second = state] = updates;
  const waiting = Y.mergeUpdates([state, second]);
  const before = { state: waiting, updates: [], clientId };
  const changed = changeYjsDocument({ ...content, data: "first abc", before, base: waiting });
  expect(changed.content).toBe('"first abc"');
  const document = new Y.Doc();
  for (const update of [changed.state, first]) Y.applyUpdate(document, update);
  expect(document.getText("content").toString()).toBe("first abcde");
});

/** Adds a text, deletes it, and returns the state that it had. */
async function readDeleted(workspace: TestWorkspace): Promise<string> {
  await addContent(workspace, { type: "text", data: "DELETED secret" });
  const { state = "" } = await readContent(workspace);
  const { editorId, ...document } = COLLABORATIVE_DOCUMENT;
  await workspace.result("/v2/crdt/delete", { ...document, editorIds: [editorId] });
  return state;
}

function encode(document: Y.Doc): string {
  return Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64");
}

/** Nests elements so deeply that reading them overflows the stack, under clocks that the document has. */
function nestDeeply(document: Y.Doc): void {
  let parent = document.getXmlFragment("content");
  for (let depth = 0; depth < 20_000; depth++) {
    const element = new Y.XmlElement("p");
    parent.insert(0, [element]);
    parent = element;
  }
}

test("the state of a deleted document is refused, says what to do, and brings nothing back", async () => {
  const workspace = await service.workspace();
  const state = await readDeleted(workspace);
  await addContent(workspace, { type: "text", data: "NEW" });
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "DELETED", state });
  expect(error).toMatchObject({ status: "FAILED_PRECONDITION", details: { reason: "state_mismatch" } });
  expect(error.message).toContain("Read it again by /v2/crdt/get with includeState");
  expect((await readContent(workspace)).data).toBe("NEW");
});

test.each<[string, (document: Y.Doc) => void]>([
  ["text", (document) => document.getText("content").insert(0, "unsaved ")],
  ["a deletion", (document) => document.getText("content").delete(0, 1)],
])("a state with %s that the document does not have is FAILED_PRECONDITION and changes nothing", async (_, edit) => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "stored" });
  const newer = await loadYjsDocument(workspace);
  edit(newer);
  const request = { ...COLLABORATIVE_DOCUMENT, type: "text", data: "sent", state: encode(newer) };
  expect(await workspace.error(PATH, request)).toMatchObject({ details: { reason: "state_mismatch" } });
  expect((await readContent(workspace)).data).toBe("stored");
});

test.each(["", "AAA=", "not Base64!", "AQID", encode(new Y.Doc())])(
  "the state %j is refused and changes nothing",
  async (state) => {
    const workspace = await service.workspace();
    await addContent(workspace, { type: "text", data: "stored" });
    const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "text", data: "sent", state });
    const reason = expect.stringMatching(/^(field_invalid|state_mismatch)$/);
    expect(error.details).toMatchObject({ reason, issues: [{ path: "data.state" }] });
    expect((await readContent(workspace)).data).toBe("stored");
  },
);

test("a forged state whose values are too deep to be read is INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "xml", data: "<p/>" });
  const page = await openPageOf(workspace);
  const forged = await loadYjsDocument(workspace);
  forged.clientID = page.document.clientID;
  forged.transact(() => nestDeeply(forged));
  page.document.getText("other").insert(0, "x".repeat(Y.getState(forged.store, forged.clientID)));
  await page.saved();
  const request = { ...COLLABORATIVE_DOCUMENT, type: "xml", data: "<q/>", state: encode(forged) };
  expect(await workspace.error(PATH, request)).toMatchObject({ details: { reason: "field_invalid" } });
  expect((await readContent(workspace)).data).toBe("<p/>");
});
