import * as Y from "yjs";
import { DocumentFault } from "./document-fault.ts";
import type { EditorType } from "./editor.ts";
import { changeArray, changeMap, jsonOf } from "./json-content.ts";
import { DiffBudget } from "./sequence-changes.ts";
import { changeText } from "./text-changes.ts";
import { parseXml, xmlOf } from "./xml.ts";
import { changeFragment, nodesOf } from "./xml-content.ts";

/** What is there and what was: measured at 0.4 s to load and change, in less than 512 MB. */
const MAX_PIECES = 500_000;

/** It is no part of the state; to make one was measured at 48 µs, the rest of a small document at 25. */
const UNUSED_GUID = "editor";

/** What the document of an editor shall hold. */
export interface DocumentChange {
  type: EditorType;
  /** The name that the content is shared under. */
  contentKey: string;
  /** Of the shape that the type asks for, and such as checkData() lets pass. */
  data: unknown;
  /** The document as it is; absent for a new one. */
  before?: { state: Uint8Array; clientId: number };
}

export interface ChangedDocument {
  /** The whole document, as a Yjs update of format 1. */
  state: Uint8Array;
  clientId: number;
  /** The JSON text of what the document holds: what a Yjs client that loads the state would see. */
  content: string;
}

/**
 * Makes the content of a document equal to the data, by operations on what is there, so that what others are doing to
 * the document meanwhile is merged and not lost. Throws DocumentFault.
 */
export function changeDocument({ type, contentKey, data, before }: DocumentChange): ChangedDocument {
  const document = new Y.Doc({ guid: UNUSED_GUID });
  if (before) {
    Y.applyUpdate(document, before.state);
    // After the state: Yjs gives up an id that it sees others write with.
    document.clientID = before.clientId;
  }
  const content = document.transact(() => CONTENT[type](document, contentKey, data));
  refuseLongHistory(document);
  return { state: Y.encodeStateAsUpdate(document), clientId: document.clientID, content: JSON.stringify(content()) };
}

/** Yjs keeps a mark of what was replaced, as others may still refer to it: 10 bytes for each field, in most cases. */
function refuseLongHistory(document: Y.Doc): void {
  let pieces = 0;
  for (const structs of document.store.clients.values()) pieces += structs.length;
  if (pieces <= MAX_PIECES) return;
  const message = "cannot be merged: the history of this editor is too long. Add the content under another editorId";
  throw new DocumentFault({ status: "FAILED_PRECONDITION", path: "data.data", message });
}

/** Each changes the content, and returns a function that reads it. */
const CONTENT: Record<EditorType, (document: Y.Doc, contentKey: string, data: unknown) => () => unknown> = {
  text(document, contentKey, data) {
    const text = asText(data);
    const shared = document.getText(contentKey);
    changeText(shared, shared.toString(), text, new DiffBudget());
    return () => shared.toString();
  },
  map(document, contentKey, data) {
    const shared = document.getMap<unknown>(contentKey);
    changeMap(shared, Object(data), new DiffBudget());
    return () => jsonOf(shared);
  },
  array(document, contentKey, data) {
    const shared = document.getArray<unknown>(contentKey);
    changeArray(shared, Array.isArray(data) ? data : [], new DiffBudget());
    return () => jsonOf(shared);
  },
  xml(document, contentKey, data) {
    const shared = document.getXmlFragment(contentKey);
    changeFragment(shared, parseXml(asText(data)), new DiffBudget());
    return () => xmlOf(nodesOf(shared));
  },
};

/** Holds because the shape of the data is checked before. */
function asText(data: unknown): string {
  return String(data);
}
