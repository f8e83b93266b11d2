import { DocumentFault, type Fault } from "./document-fault.ts";
import {
  type ChangedDocument,
  changeDocument,
  type DocumentChange,
  type DocumentFold,
  type DocumentRestore,
  foldDocument,
  restoreDocument,
} from "./editor-document.ts";

/** A document to compact, to restore, or to change. */
export type ThreadTask = { fold: DocumentFold } | { restore: DocumentRestore } | { change: DocumentChange };
/** Result of a thread. A fault is passed as a value because an error would lose its class between threads. */
export type ThreadResult = { changed: ChangedDocument } | { fault: Fault };

/** Runs in a thread of the pool. */
export default function changeInThread(task: ThreadTask): ThreadResult {
  try {
    if ("fold" in task) return { changed: foldDocument(task.fold) };
    if ("restore" in task) return { changed: restoreDocument(task.restore) };
    return { changed: changeDocument(task.change) };
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.fault };
    throw error;
  }
}
