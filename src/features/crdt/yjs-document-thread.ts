import type { RenewedAnchor } from "./anchors/renew-anchors.ts";
import type { ContentChange } from "./comparison/compare-contents.ts";
import { DocumentError, type DocumentErrorDetails } from "./document-error.ts";
import {
  type ChangedDocument,
  changeYjsDocument,
  compactYjsDocument,
  compareYjsDocument,
  renewYjsAnchors,
  restoreYjsDocument,
  type YjsDocumentChange,
  type YjsDocumentCompaction,
  type YjsDocumentComparison,
  type YjsDocumentRestore,
} from "./yjs-document.ts";

/** A document to compact, to restore, to compare, or to change, or whose anchors are to be renewed. */
export type ThreadTask =
  | { compare: YjsDocumentComparison }
  | { renew: YjsDocumentCompaction }
  | { compact: YjsDocumentCompaction }
  | { restore: YjsDocumentRestore }
  | { change: YjsDocumentChange };
/** Result of a thread. A DocumentError is passed as a value because an error would lose its class between threads. */
export type ThreadResult =
  | { changed: ChangedDocument }
  | { compared: ContentChange[] }
  | { renewed: RenewedAnchor[] }
  | { error: DocumentErrorDetails };

/** Runs in a thread of the pool. */
export default function changeInThread(task: ThreadTask): ThreadResult {
  try {
    if ("compare" in task) return { compared: compareYjsDocument(task.compare) };
    if ("renew" in task) return { renewed: renewYjsAnchors(task.renew) };
    if ("compact" in task) return { changed: compactYjsDocument(task.compact) };
    if ("restore" in task) return { changed: restoreYjsDocument(task.restore) };
    return { changed: changeYjsDocument(task.change) };
  } catch (error) {
    if (error instanceof DocumentError) return { error: error.error };
    throw error;
  }
}
