import { DocumentFault, type Fault } from "./document-fault.ts";
import { type ChangedDocument, changeDocument, type DocumentChange } from "./editor-document.ts";

/** The JSON text is an object with the field `data`. */
export type ThreadTask = Omit<DocumentChange, "data"> & { jsonText: string };
/** Result of a thread. A fault is passed as a value because an error would lose its class between threads. */
export type ThreadResult = { changed: ChangedDocument } | { fault: Fault };

/** Runs in a thread of the pool. */
export default function changeInThread({ jsonText, ...change }: ThreadTask): ThreadResult {
  try {
    return { changed: changeDocument({ ...change, ...JSON.parse(jsonText) }) };
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.fault };
    throw error;
  }
}
