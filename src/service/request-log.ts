import type { RecordRequest } from "../contract/recorded-request.ts";
import type { Database } from "../database/database.ts";
import { RequestRecorder } from "../features/request-log/recorder.ts";
import { deleteOldRequests, insertRequests } from "../features/request-log/request-log-queries.ts";
import type { StartContext } from "./start-context.ts";

const FLUSH_INTERVAL_MS = 1_000;
const FLUSHES_PER_DELETION = 60;

/** Starts to write the requests of this process to the request log, every second and once more when stopped. */
export function openRequestLog({ log, resources }: StartContext, database: Database): RecordRequest {
  const recorder = new RequestRecorder();
  const written = new Set<string>();
  let flushes = 0;
  let running = Promise.resolve();
  async function flush(): Promise<void> {
    try {
      await recorder.flush(async (chunks) => {
        await insertRequests(database, chunks);
        for (const { workspaceId } of chunks) written.add(workspaceId);
      });
      flushes += 1;
      if (flushes % FLUSHES_PER_DELETION > 0 || written.size === 0) return;
      await deleteOldRequests(database, [...written]);
      written.clear();
    } catch (err) {
      log.warn({ err }, "the request log could not be written");
    }
  }
  const timer = setInterval(() => {
    running = running.then(flush);
  }, FLUSH_INTERVAL_MS);
  resources.defer(() => {
    clearInterval(timer);
    return running.then(flush);
  });
  return (workspaceId, request, isRejected) => recorder.record(workspaceId, request, isRejected);
}
