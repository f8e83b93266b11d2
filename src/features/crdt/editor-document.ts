import * as Y from "yjs";
import { checkData } from "./check-data.ts";
import { DocumentFault } from "./document-fault.ts";
import type { EditorType } from "./editor-type.ts";
import { changeArray, changeMap, jsonOf } from "./json-content.ts";
import { DiffBudget } from "./sequence-changes.ts";
import { changeText } from "./text-changes.ts";
import { parseXml, xmlOf } from "./xml.ts";
import { changeFragment, nodesOf } from "./xml-content.ts";

/** Maximum number of pieces, deleted ones included. Measured: 0.4 s to load and change, in less than 512 MB. */
const MAX_PIECES = 500_000;

/** GUID of documents, which is no part of the state. Generating one was measured at 48 µs. */
const UNUSED_GUID = "editor";

/** Content that the document of an editor is to have. */
export interface DocumentChange {
  type: EditorType;
  /** Name under which the content is shared. */
  contentKey: string;
  /** Data in the shape that the type requires. */
  data: unknown;
  /** The existing document; absent for a new one. */
  before?: { state: Uint8Array; clientId: number };
}

export interface ChangedDocument {
  /** The whole document as a Yjs update of format 1. */
  state: Uint8Array;
  clientId: number;
  /** JSON text of the content, as a Yjs client that loads the state sees it. */
  content: string;
}

/**
 * Makes the content of a document equal to the data by operations on the existing content, so that concurrent edits are
 * merged and not lost. Throws DocumentFault.
 */
export function changeDocument({ type, contentKey, data, before }: DocumentChange): ChangedDocument {
  checkData(data);
  const document = new Y.Doc({ guid: UNUSED_GUID });
  if (before) {
    Y.applyUpdate(document, before.state);
    // The client ID is set after loading the state, because Yjs gives up an ID that it sees others write with.
    document.clientID = before.clientId;
  }
  const content = document.transact(() => CONTENT[type](document, contentKey, data));
  refuseLongHistory(document);
  return { state: Y.encodeStateAsUpdate(document), clientId: document.clientID, content: JSON.stringify(content()) };
}

/** Throws for a long history: Yjs keeps a tombstone of everything replaced, 10 bytes for each field in most cases. */
function refuseLongHistory(document: Y.Doc): void {
  let pieces = 0;
  for (const structs of document.store.clients.values()) pieces += structs.length;
  if (pieces <= MAX_PIECES) return;
  const message = "cannot be merged: the history of this editor is too long. Add the content under another editorId";
  throw new DocumentFault({ reason: "document_too_large", path: "data.data", message });
}

/** Functions that change the content by type; each returns a function that reads it. */
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

/** Returns data as text; the cast holds because the shape of the data is checked before. */
function asText(data: unknown): string {
  return String(data);
}
