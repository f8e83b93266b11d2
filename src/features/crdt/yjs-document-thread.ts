import { DocumentError, type DocumentErrorDetails } from "./document-error.ts";
import {
  changeYjsDocument,
  compactYjsDocument,
  compareYjsDocument,
  renewYjsAnchors,
  restoreYjsDocument,
} from "./yjs-document.ts";

const WORK = {
  change: changeYjsDocument,
  compact: compactYjsDocument,
  restore: restoreYjsDocument,
  compare: compareYjsDocument,
  renew: renewYjsAnchors,
};

/** Functions that run in threads, by name. */
export type Work = typeof WORK;
export interface ThreadTask {
  name: keyof Work;
  input: Parameters<Work[keyof Work]>[0];
}
/** Result of a thread. A DocumentError is passed as a value because an error would lose its class between threads. */
export type ThreadResult = { output: ReturnType<Work[keyof Work]> } | { error: DocumentErrorDetails };

/** Runs in a thread of the pool. The cast holds because `run` of the pool takes the input of this function. */
export default function workInThread({ name, input }: ThreadTask): ThreadResult {
  try {
    const work = WORK[name] as (given: ThreadTask["input"]) => ReturnType<Work[keyof Work]>;
    return { output: work(input) };
  } catch (error) {
    if (error instanceof DocumentError) return { error: error.error };
    throw error;
  }
}
