import { expect, test } from "vitest";
import * as Y from "yjs";
import { addAnnotations, changeAnnotations, readAnnotations } from "../../../../test/comments.ts";
import { addContent, COLLABORATIVE_DOCUMENT, loadYjsDocument, updateContent } from "../../../../test/crdt.ts";
import { eventReader, getEvents, workspaceWithDocument } from "../../../../test/events.ts";
import { SCOPE } from "../../../../test/factories.ts";
import { startOwnTestService, type TestWorkspace } from "../../../../test/harness.ts";
import { untilWaiting } from "../../../../test/lock-waits.ts";
import { openSyncedPage } from "../../../../test/sync.ts";
import { tokenFor } from "../../../../test/user-tokens.ts";
import { buildAnchor, decodePosition, encodePosition, SharedText } from "../../../anchors/anchors.ts";
import { sql } from "../../../database/sql.ts";

const CONTRACT = "Payment is due within thirty days of the invoice. Interest is due after sixty days of delay.";
const CLAUSES = [
  "<heading>Terms</heading>",
  "<paragraph>Payment is due within thirty days of the invoice.</paragraph>",
  "<paragraph>Interest is due after sixty days of delay.</paragraph>",
];
const { documentId } = SCOPE;
const { editorId } = COLLABORATIVE_DOCUMENT;
const service = await startOwnTestService();

function getShared(document: Y.Doc): SharedText {
  const text = document.getText("content");
  return new SharedText(text.length > 0 ? text : document.getXmlFragment("content"));
}

function anchorAt(shared: SharedText, start: number, end: number) {
  const anchor = buildAnchor(shared, start, end);
  if (!anchor) throw new Error("The passage has no characters.");
  return { ...anchor, editorId };
}

function anchorIn(shared: SharedText, passage: string) {
  const start = shared.text.indexOf(passage);
  return anchorAt(shared, start, start + passage.length);
}

/** A workspace with content and an annotation on each passage, whose ID is the passage. */
async function annotated(data: string, ...passages: string[]): Promise<TestWorkspace> {
  const workspace = await workspaceWithDocument(service);
  await addContent(workspace, { type: data.startsWith("<") ? "xml" : "text", data });
  const document = await loadYjsDocument(workspace);
  const shared = data.startsWith("<") ? new SharedText(document.getXmlFragment("content")) : getShared(document);
  const annotations = passages.map((passage) => ({ annotationId: passage, anchor: anchorIn(shared, passage) }));
  if (annotations.length > 0) await addAnnotations(workspace, annotations);
  return workspace;
}

async function readState(workspace: TestWorkspace, filters: Parameters<typeof readAnnotations>[1] = {}) {
  const annotations = await readAnnotations(workspace, { order: "asc", documentId, ...filters });
  return annotations.map(({ anchorState, anchorText }) => [anchorState, anchorText]);
}

/** Returns the passages that the stored positions hold in the stored document. */
async function readPassages(workspace: TestWorkspace, name: "getText" | "getXmlFragment" = "getText") {
  const document = await loadYjsDocument(workspace);
  const shared = new SharedText(document[name]("content"));
  return (await readAnnotations(workspace, { order: "asc", documentId })).map(({ anchor }) => {
    if (!anchor || !("start" in anchor)) return undefined;
    const [start, end] = [anchor.start, anchor.end].map((encoded) => decodePosition(encoded));
    return shared.text.slice(start && shared.toOffset(start), end && shared.toOffset(end));
  });
}

async function addVersion(workspace: TestWorkspace, versionId: string): Promise<void> {
  await workspace.data("/v2/crdt/versions/add", { ...COLLABORATIVE_DOCUMENT, versionId, name: versionId });
}

async function restore(workspace: TestWorkspace, versionId: string): Promise<void> {
  await workspace.result("/v2/crdt/versions/restore", { ...COLLABORATIVE_DOCUMENT, versionId });
}

test("a restore of a version detaches what it removes, and the next one attaches it again", async () => {
  const workspace = await annotated("Payment is due.", "Payment is due");
  await addVersion(workspace, "short");
  await updateContent(workspace, { type: "text", data: `Payment is due. ${CONTRACT}` });
  const added = anchorIn(getShared(await loadYjsDocument(workspace)), "after sixty days");
  await addAnnotations(workspace, [{ annotationId: "later", anchor: added }]);
  await addVersion(workspace, "long");
  await restore(workspace, "short");
  expect(await readState(workspace)).toEqual([
    ["attached", "Payment is due"],
    ["detached", ""],
  ]);
  const [, detached] = await readAnnotations(workspace, { order: "asc" });
  expect(detached?.anchor).toEqual(added);
  await restore(workspace, "long");
  expect(await readState(workspace)).toEqual([
    ["attached", "Payment is due"],
    ["attached", "after sixty days"],
  ]);
  expect(await readPassages(workspace)).toEqual(["Payment is due", "after sixty days"]);
});

test("a restore brings back all of a passage of which an update has left a part", async () => {
  const workspace = await annotated(CONTRACT, "thirty days");
  await addVersion(workspace, "before");
  await updateContent(workspace, { type: "text", data: CONTRACT.replace("thirty", "forty") });
  expect(await readState(workspace)).toEqual([["attached", "rty days"]]);
  await restore(workspace, "before");
  expect(await readState(workspace)).toEqual([["attached", "thirty days"]]);
  expect(await readPassages(workspace)).toEqual(["thirty days"]);
});

test("a restore follows a passage that it brings back, even if equal ones are around it", async () => {
  const workspace = await annotated("one two ".repeat(40));
  await addVersion(workspace, "before");
  const anchor = anchorAt(getShared(await loadYjsDocument(workspace)), 160, 163);
  await addAnnotations(workspace, [{ annotationId: "one", anchor }]);
  await updateContent(workspace, { type: "text", data: "" });
  expect(await readState(workspace)).toEqual([["detached", ""]]);
  await restore(workspace, "before");
  expect(await readState(workspace)).toEqual([["attached", "one"]]);
  const [restored] = await readAnnotations(workspace);
  const start = restored?.anchor && "start" in restored.anchor && decodePosition(restored.anchor.start);
  expect(start && getShared(await loadYjsDocument(workspace)).toOffset(start)).toBe(160);
});

test("an update by REST keeps, moves and detaches passages", async () => {
  const workspace = await annotated(CONTRACT, "within thirty days", "Interest is due after sixty days", "of delay");
  const data =
    "Interest is due after sixty days of waiting. We thank you. Payment is due within thirty days of the order.";
  await updateContent(workspace, { type: "text", data });
  const [kept, moved, gone] = await readState(workspace);
  expect([kept, moved?.[1], gone]).toEqual([
    ["attached", "within thirty days"],
    "Interest is due after sixty days",
    ["detached", ""],
  ]);
  expect((await readPassages(workspace)).slice(0, 2)).toEqual([kept?.[1], moved?.[1]]);
});

test("passages of rich text follow content that is deleted and added again in another order", async () => {
  const workspace = await annotated(CLAUSES.join(""), "within thirty days", "after sixty days", "Terms");
  await workspace.data("/v2/crdt/delete", { ...SCOPE, editorIds: [editorId] });
  expect(await readState(workspace)).toEqual([
    ["detached", ""],
    ["detached", ""],
    ["detached", ""],
  ]);
  await addContent(workspace, { type: "xml", data: `<paragraph>New.</paragraph>${CLAUSES.slice(1).join("")}` });
  expect(await readState(workspace)).toEqual([
    ["attached", "within thirty days"],
    ["attached", "after sixty days"],
    ["detached", ""],
  ]);
  expect((await readPassages(workspace, "getXmlFragment")).slice(0, 2)).toEqual([
    "within thirty days",
    "after sixty days",
  ]);
});

test("a similar passage is moved, and stays so while its positions hold it", async () => {
  const workspace = await annotated(CONTRACT, "within thirty days of the invoice");
  await workspace.data("/v2/crdt/delete", { ...SCOPE, editorIds: [editorId] });
  await addContent(workspace, { type: "text", data: CONTRACT.replace("thirty", "forty") });
  expect(await readState(workspace)).toEqual([["moved", "within forty days of the invoice"]]);
  await updateContent(workspace, { type: "text", data: `Hello. ${CONTRACT.replace("thirty", "forty")}` });
  expect(await readState(workspace)).toEqual([["moved", "within forty days of the invoice"]]);
});

test("an annotation that is added while the content is replaced or added gets the new content's state", async () => {
  const workspace = await annotated(CONTRACT);
  const anchor = anchorIn(getShared(await loadYjsDocument(workspace)), "thirty days");
  // The write waits for the lock after it has read the anchors.
  const addAnnotationWhile = async (write: typeof addContent, data: string) => {
    const { written } = await service.database.transaction(async (transaction) => {
      await transaction.run(sql`lock table crdt_documents in share mode`);
      const written = write(workspace, { type: "text", data });
      await untilWaiting(service.database);
      await addAnnotations(workspace, [{ annotationId: data, anchor }]);
      return { written };
    });
    return written;
  };
  await addAnnotationWhile(updateContent, "Nothing is due.");
  expect(await readState(workspace)).toEqual([["detached", ""]]);
  await workspace.data("/v2/crdt/delete", SCOPE);
  await addAnnotationWhile(addContent, `Today: ${CONTRACT}`);
  expect(await readPassages(workspace)).toEqual(["thirty days", "thirty days"]);
});

test("each anchor that changes has one event, and others have none", async () => {
  const workspace = await annotated(CONTRACT, "within thirty days", "after sixty days");
  const read = eventReader(workspace, (await getEvents(workspace)).cursor);
  await updateContent(workspace, { type: "text", data: CONTRACT.slice(0, 50) });
  expect((await read()).filter(([event]: string[]) => event?.startsWith("comment"))).toEqual([
    ["comment_annotation.update", { annotationId: "after sixty days" }],
  ]);
});

test("anchors of other collaborative documents and points stay as they are", async () => {
  const workspace = await annotated(CONTRACT, "after sixty days");
  const [first] = await readAnnotations(workspace);
  if (!first?.anchor || !("editorId" in first.anchor)) throw new Error("The annotation has no anchor.");
  const others = [
    { ...first.anchor, editorId: "other" },
    { selector: "#plan", x: 0, y: 0 },
  ];
  await addAnnotations(
    workspace,
    others.map((anchor, index) => ({ annotationId: `other-${index}`, anchor })),
  );
  await addAnnotations(workspace, [{ annotationId: "other document", anchor: first.anchor }], { documentId: "d2" });
  await updateContent(workspace, { type: "text", data: "" });
  expect(await readState(workspace)).toEqual([
    ["detached", ""],
    ["attached", "after sixty days"],
    [undefined, undefined],
  ]);
  expect(await readState(workspace, { documentId: "d2" })).toEqual([["attached", "after sixty days"]]);
});

test("an anchor that is set while the content is replaced keeps its new place", async () => {
  const workspace = await annotated(
    CONTRACT,
    ...Array.from({ length: 20 }, (_, index) => CONTRACT.slice(index, index + 9)),
  );
  const point = { selector: "#plan", x: 0, y: 0 };
  await addVersion(workspace, "before");
  await Promise.all([
    updateContent(workspace, { type: "text", data: "Nothing is left." }),
    changeAnnotations(workspace, "update", { updatedData: { anchor: point } }),
    restore(workspace, "before"),
    restore(workspace, "before"),
  ]);
  const read = await readAnnotations(workspace, { documentId });
  expect(read.map(({ anchor, anchorState }) => [anchor, anchorState])).toEqual(Array(20).fill([point, undefined]));
});

test("with resolveAnchors, reading finds the passages in what users have typed since", async () => {
  const workspace = await annotated(CONTRACT, "within thirty days", "after sixty days");
  const page = await openSyncedPage(service.address, { token: await tokenFor(workspace, "ada") });
  page.document.getText("content").delete(65, 5);
  page.document.getText("content").insert(28, "-one");
  page.document.getText("content").delete(53, 45);
  await page.saved();
  expect(await readState(workspace)).toEqual([
    ["attached", "within thirty days"],
    ["attached", "after sixty days"],
  ]);
  expect(await readState(workspace, { resolveAnchors: true })).toEqual([
    ["attached", "within thirty-one days"],
    ["detached", ""],
  ]);
  expect(await readState(workspace)).toEqual([
    ["attached", "within thirty days"],
    ["attached", "after sixty days"],
  ]);
});

test("with resolveAnchors, anchors in what does not exist are detached; it requires a document", async () => {
  const workspace = await annotated(CONTRACT, "after sixty days");
  const [first] = await readAnnotations(workspace);
  if (!first?.anchor || !("editorId" in first.anchor)) throw new Error("The annotation has no anchor.");
  await addAnnotations(workspace, [{ annotationId: "foreign", anchor: { ...first.anchor, editorId: "other" } }]);
  expect(await readState(workspace, { resolveAnchors: true })).toEqual([
    ["attached", "after sixty days"],
    ["detached", ""],
  ]);
  const { organizationId } = SCOPE;
  const error = await workspace.error("/v2/commentannotations/get", { organizationId, resolveAnchors: true });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
});

test("replacing the content of one tenant leaves the anchors of another with the same IDs", async () => {
  const [one, other] = [await annotated(CONTRACT, "after sixty days"), await annotated(CONTRACT, "after sixty days")];
  await Promise.all([
    updateContent(one, { type: "text", data: "" }),
    updateContent(other, { type: "text", data: `New. ${CONTRACT}` }),
  ]);
  expect([await readState(one), await readState(other)]).toEqual([
    [["detached", ""]],
    [["attached", "after sixty days"]],
  ]);
});

test("passages with U+0000 and emoji are found again, and positions of unknown clients harm nothing", async () => {
  const passage = "\u0000 and 👩‍👩‍👧‍👦 in";
  const data = `It says ${passage} the middle of it.`;
  const workspace = await annotated(data);
  const anchor = anchorIn(getShared(await loadYjsDocument(workspace)), passage);
  const largest = Y.createRelativePositionFromJSON({ item: { client: 2 ** 53 - 1, clock: 2 ** 31 } });
  const position = encodePosition(largest);
  const unknown = { editorId, start: position, end: position, quote: { exact: "the middle of it" } };
  await addAnnotations(workspace, [
    { annotationId: "known", anchor },
    { annotationId: "unknown", anchor: unknown },
  ]);
  await workspace.data("/v2/crdt/delete", { ...SCOPE, editorIds: [editorId] });
  await addContent(workspace, { type: "text", data: `Today: ${data}` });
  expect(await readState(workspace)).toEqual([
    ["attached", passage],
    ["moved", "the middle of it"],
  ]);
  expect(await readPassages(workspace)).toEqual([passage, "the middle of it"]);
});
