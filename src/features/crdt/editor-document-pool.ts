import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import { DocumentFault } from "./document-fault.ts";
import { type ChangedDocument, changeDocument, type DocumentChange } from "./editor-document.ts";
import type { ThreadResult, ThreadTask } from "./editor-document-thread.ts";

/**
 * Size of data and state together past which a thread does the work. Measured below it: 4 ms for an array of usual
 * objects, 45 ms for 10,000 empty ones. Above it: 77 ms for 1 MiB of usual objects, 0.6 s for 1 MiB of XML elements.
 */
const MAX_BYTES_HERE = 32 * 1024;
/** Memory limit of a thread. The largest document was measured to need 512 MB. */
const MAX_THREAD_MEGABYTES = 1024;
const THREAD_IDLE_MS = 60_000;

/** Pool of threads. It starts none before the first large document. */
const pool = new Piscina<ThreadTask, ThreadResult>({
  filename: new URL("./editor-document-thread.ts", import.meta.url).href,
  minThreads: 0,
  maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  idleTimeout: THREAD_IDLE_MS,
  resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES },
});

/** Does the same as changeDocument without blocking the event loop for long. */
export async function changeAnyDocument({ data, ...change }: DocumentChange): Promise<ChangedDocument> {
  const jsonText = JSON.stringify(data);
  if (jsonText.length + (change.before?.state.length ?? 0) <= MAX_BYTES_HERE)
    return changeDocument({ ...change, data });
  const result = await pool.run({ ...change, jsonText });
  if ("fault" in result) throw new DocumentFault(result.fault);
  return result.changed;
}
