import * as Y from "yjs";
import { type RenewedAnchor, renewAnchors, type StoredAnchor } from "./anchors/renew-anchors.ts";
import { Attributions } from "./attributions.ts";
import { changeFrom } from "./change-from.ts";
import { checkData } from "./check-data.ts";
import { type ContentChange, compareContents } from "./comparison/compare-contents.ts";
import { DocumentError } from "./document-error.ts";
import { writeIdentity } from "./identity.ts";
import { changeArray, changeMap } from "./json-content.ts";
import { toJson } from "./read-json.ts";
import { DiffBudget } from "./sequence-changes.ts";
import type { SharedType } from "./shared-type.ts";
import { changeText } from "./text-changes.ts";
import { getText } from "./text-content.ts";
import { parseXml, toXml } from "./xml.ts";
import { changeFragment, toNodes } from "./xml-content.ts";

/** Maximum number of Yjs structs, deleted ones included. Measured: 0.4 s to load and change, in less than 512 MB. */
export const MAX_DOCUMENT_STRUCTS = 500_000;

/** GUID of documents, which is not part of the state. Generating one was measured at 48 µs. */
const UNUSED_GUID = "document";

/** Content that a Yjs document is to have. */
export interface YjsDocumentChange {
  type: SharedType;
  /** Name under which the content is shared. */
  contentKey: string;
  /** Data in the shape that the type requires. */
  data: unknown;
  /** The existing document; absent for a new one. */
  before?: YjsDocumentBefore;
  /** Earlier state of the existing document from which the data was made; absent for its present state. */
  base?: Uint8Array | undefined;
  /** Author of the change; absent for the backend. */
  authorId?: string | null;
  /** Anchors in an earlier document of the same ID, for a new one. */
  anchors?: readonly StoredAnchor[];
}

/** A stored document: its state, and updates that the state does not contain. */
export interface YjsDocumentBefore {
  state: Uint8Array;
  /** Encoded attributions of the state. */
  attributions?: Uint8Array | null;
  updates: readonly Uint8Array[];
  /** Authors of the updates, in the same order. */
  authorIds?: readonly (string | null)[];
  clientId: number;
  /** Anchors in the document, which a change renews. */
  anchors?: readonly StoredAnchor[];
}

/** A document whose updates are to become a part of its state. */
export type YjsDocumentCompaction = Pick<YjsDocumentChange, "type" | "contentKey"> & { before: YjsDocumentBefore };

/** A document whose content is to become that of an earlier state of it. */
export interface YjsDocumentRestore extends YjsDocumentCompaction, Pick<YjsDocumentChange, "authorId"> {
  earlier: Uint8Array;
}

export interface ChangedDocument {
  /** The whole document as a Yjs update of format 1. */
  state: Uint8Array;
  /** Encoded attributions of the state. */
  attributions: Uint8Array | null;
  clientId: number;
  /** JSON text of the content, as a Yjs client that loads the state sees it. */
  content: string;
  /** The anchors that change with the content. */
  renewedAnchors: RenewedAnchor[];
}

/**
 * Makes the content of a document equal to the data by operations on the existing content, so that concurrent edits are
 * merged and not lost. Throws DocumentError.
 */
export function changeYjsDocument(request: YjsDocumentChange): ChangedDocument {
  const { type, contentKey, data, before, base, authorId = null } = request;
  checkData(data);
  const { document, attributions } = before ? load(before) : create();
  const clientId = before?.clientId ?? document.clientID;
  const change = (changed: Y.Doc) => CHANGE[type](changed, contentKey, data);
  attributions.attribute(document, authorId, () => {
    if (base) return changeFrom(base, { document, clientId }, change);
    // The client ID is set after loading the state, because Yjs gives up an ID that it sees others write with.
    document.clientID = clientId;
    document.transact(() => {
      if (!before) writeIdentity(document);
      change(document);
    });
  });
  rejectLongHistory(document);
  const renewedAnchors = renewAnchors(document, request, before?.anchors ?? request.anchors ?? []);
  return { ...encode(document, { type, contentKey, clientId, attributions }), renewedAnchors };
}

/** Returns the document with its updates in its state. */
export function compactYjsDocument({ type, contentKey, before }: YjsDocumentCompaction): ChangedDocument {
  const { document, attributions } = load(before);
  return { ...encode(document, { type, contentKey, clientId: before.clientId, attributions }), renewedAnchors: [] };
}

/**
 * Makes a document equal to an earlier state of it by undoing every operation since, so that formatting, embedded
 * objects and nested values come back as they were, under all shared names. Throws DocumentError.
 */
export function restoreYjsDocument(request: YjsDocumentRestore): ChangedDocument {
  const { type, contentKey, before, earlier, authorId = null } = request;
  const { document, attributions } = load(before);
  const restored = new Y.Doc({ guid: UNUSED_GUID });
  Y.applyUpdate(restored, earlier);
  const undo = new Y.UndoManager(restored, {
    trackedOrigins: new Set([restoreYjsDocument]),
    ignoreRemoteMapChanges: true,
  });
  Y.applyUpdate(restored, Y.encodeStateAsUpdate(document, Y.encodeStateVector(restored)), restoreYjsDocument);
  restored.clientID = before.clientId;
  undo.undo();
  undo.destroy();
  attributions.inherit(restored);
  const changes = Y.encodeStateAsUpdate(restored, Y.encodeStateVector(document));
  attributions.attribute(document, authorId, () => Y.applyUpdate(document, changes));
  rejectLongHistory(document);
  // Only this copy knows which values have replaced deleted ones.
  const renewedAnchors = renewAnchors(restored, request, before.anchors ?? []);
  return { ...encode(document, { type, contentKey, clientId: before.clientId, attributions }), renewedAnchors };
}

/** Returns the anchors whose passages, or states, are others than were stored. */
export function renewYjsAnchors({ before, ...content }: YjsDocumentCompaction): RenewedAnchor[] {
  return renewAnchors(load(before).document, content, before.anchors ?? []);
}

/** A stored document of which two states are compared: the later one is the present one if absent. */
export interface YjsDocumentComparison extends YjsDocumentCompaction {
  earlier: Uint8Array;
  later: Uint8Array | undefined;
}

/** Compares two states of a document. */
export function compareYjsDocument(comparison: YjsDocumentComparison): ContentChange[] {
  const { type, contentKey, before, earlier, later } = comparison;
  const { document, attributions } = load(before);
  const states = { type, contentKey, earlier, later: later ?? Y.encodeStateAsUpdate(document) };
  return compareContents(states, attributions);
}

interface LoadedDocument {
  document: Y.Doc;
  attributions: Attributions;
}

function create(): LoadedDocument {
  return { document: new Y.Doc({ guid: UNUSED_GUID }), attributions: new Attributions(null) };
}

function encode(
  document: Y.Doc,
  encoded: Pick<YjsDocumentChange, "type" | "contentKey"> & { clientId: number; attributions: Attributions },
): Omit<ChangedDocument, "renewedAnchors"> {
  const { type, contentKey, clientId, attributions } = encoded;
  const content = JSON.stringify(READ[type](document, contentKey));
  return { state: Y.encodeStateAsUpdate(document), attributions: attributions.encode(), clientId, content };
}

/**
 * Loads a stored document. Leaves out updates that Yjs cannot apply: they were rejected when they arrived, so their
 * clients were never told that they were saved.
 */
function load({ state, attributions: encoded, updates, authorIds }: YjsDocumentBefore): LoadedDocument {
  const rejected = new Set<Uint8Array>();
  for (;;) {
    const document = new Y.Doc({ guid: UNUSED_GUID });
    const attributions = new Attributions(encoded);
    Y.applyUpdate(document, state);
    attributions.claimPending(document, null);
    const failed = updates.find((update, index) => {
      if (rejected.has(update)) return false;
      const apply = () => Y.applyUpdate(document, update);
      return !isPossible(() => attributions.attribute(document, authorIds?.[index] ?? null, apply));
    });
    if (!failed) return { document, attributions };
    rejected.add(failed);
  }
}

function isPossible(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Throws for a long history: Yjs keeps a tombstone of everything replaced, 10 bytes for each field in most cases. */
function rejectLongHistory(document: Y.Doc): void {
  let pieces = 0;
  for (const structs of document.store.clients.values()) pieces += structs.length;
  if (pieces <= MAX_DOCUMENT_STRUCTS) return;
  const message = "cannot be merged: the history of the document is too long. Add the content under another editorId";
  throw new DocumentError({ reason: "document_too_large", path: "data.data", message });
}

/** Functions that change the content, by type. */
const CHANGE: Record<SharedType, (document: Y.Doc, contentKey: string, data: unknown) => void> = {
  text(document, contentKey, data) {
    const shared = document.getText(contentKey);
    changeText(shared, getText(shared), asText(data), new DiffBudget());
  },
  map(document, contentKey, data) {
    changeMap(document.getMap<unknown>(contentKey), Object(data), new DiffBudget());
  },
  array(document, contentKey, data) {
    changeArray(document.getArray<unknown>(contentKey), Array.isArray(data) ? data : [], new DiffBudget());
  },
  xml(document, contentKey, data) {
    changeFragment(document.getXmlFragment(contentKey), parseXml(asText(data)), new DiffBudget());
  },
};

/** Functions that read the content as JSON, by type. They read whatever a client may have written. */
const READ: Record<SharedType, (document: Y.Doc, contentKey: string) => unknown> = {
  text: (document, contentKey) => getText(document.getText(contentKey)),
  map: (document, contentKey) => toJson(document.getMap(contentKey)),
  array: (document, contentKey) => toJson(document.getArray(contentKey)),
  xml: (document, contentKey) => toXml(toNodes(document.getXmlFragment(contentKey))),
};

/** Returns data as text; the cast holds because the shape of the data is checked before. */
function asText(data: unknown): string {
  return String(data);
}
