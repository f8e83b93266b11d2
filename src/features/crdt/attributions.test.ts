import { expect, test } from "vitest";
import * as Y from "yjs";
import { compactYjsDocument, compareYjsDocument, type YjsDocumentBefore } from "./yjs-document.ts";

const CONTENT = { type: "text", contentKey: "content" } as const;

function write(document: Y.Doc, work: (text: Y.Text) => void): Uint8Array {
  const before = Y.encodeStateVector(document);
  work(document.getText(CONTENT.contentKey));
  return Y.encodeStateAsUpdate(document, before);
}

/** Returns a stored document, and an update of eve that waits for the next one of ada. */
function prepare() {
  const ada = new Y.Doc();
  ada.clientID = 1;
  const state = write(ada, (text) => text.insert(0, "one"));
  const adas = write(ada, (text) => text.insert(3, "!"));
  const eve = new Y.Doc();
  eve.clientID = 2;
  Y.applyUpdate(eve, Y.encodeStateAsUpdate(ada));
  const eves = write(eve, (text) => {
    text.insert(4, " I resign");
    text.delete(3, 1);
  });
  return { before: { state, updates: [], clientId: 3 }, adas, eves };
}

function compare(before: YjsDocumentBefore) {
  const changes = compareYjsDocument({ ...CONTENT, before, earlier: prepare().before.state, later: undefined });
  return changes.map(({ kind, text, authorId }) => [kind, text, authorId]);
}

test("what waits for an update of another user stays of who has sent it", () => {
  const { before, adas, eves } = prepare();
  const written = { ...before, updates: [eves, adas], authorIds: ["eve", "ada"] };
  expect(compare(written)).toEqual([
    ["unchanged", "one", null],
    ["added", " I resign", "eve"],
  ]);
  const earlier = Y.mergeUpdates([before.state, adas]);
  const later = compactYjsDocument({ ...CONTENT, before: written });
  const changes = compareYjsDocument({ ...CONTENT, before: { ...before, ...later }, earlier, later: later.state });
  expect(changes).toContainEqual({ kind: "removed", text: "!", authorId: "eve" });
});

test("what waits in the stored state is never of who sends the missing update", () => {
  const { before, adas, eves } = prepare();
  const waiting = { ...before, updates: [eves], authorIds: ["eve"] };
  const { state, attributions } = compactYjsDocument({ ...CONTENT, before: waiting });
  expect(compare({ ...before, state, attributions, updates: [adas], authorIds: ["ada"] })).toEqual([
    ["unchanged", "one", null],
    ["added", " I resign", null],
  ]);
});
