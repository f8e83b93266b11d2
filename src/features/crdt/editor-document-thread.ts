import { DocumentFault, type Fault } from "./document-fault.ts";
import { type ChangedDocument, changeDocument, type DocumentChange } from "./editor-document.ts";

export type ThreadTask = Omit<DocumentChange, "data"> & { jsonText: string };
/** A fault travels as a value: an error would lose its class on the way. */
export type ThreadResult = { changed: ChangedDocument } | { fault: Fault };

/** What a thread of the pool runs. */
export default function changeInThread({ jsonText, ...change }: ThreadTask): ThreadResult {
  try {
    return { changed: changeDocument({ ...change, data: JSON.parse(jsonText) }) };
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.fault };
    throw error;
  }
}
