import type { RecordedRequest } from "../../contract/recorded-request.ts";
import { KEPT_REQUESTS, type RequestChunk } from "./request-log-queries.ts";

/** The requests of a process since the last flush. */
export class RequestRecorder {
  #requests = new Map<string, string[]>();
  #rejected = new Map<string, string[]>();

  /** Records a request. Only the newest of a workspace are kept, however many there are in a second. */
  record(workspaceId: string, request: RecordedRequest, isRejected = false): void {
    const recorded = isRejected ? this.#rejected : this.#requests;
    const requests = recorded.get(workspaceId) ?? [];
    requests.push(JSON.stringify(request));
    // Dropping half at a time keeps the cost of a request constant.
    if (requests.length === 2 * KEPT_REQUESTS) requests.splice(0, KEPT_REQUESTS);
    recorded.set(workspaceId, requests);
  }

  /** Passes the recorded requests to `write`. They are lost if it fails, since others will follow. */
  async flush(write: (chunks: RequestChunk[]) => Promise<void>): Promise<void> {
    if (this.#requests.size + this.#rejected.size === 0) return;
    const chunks = [...getChunks(this.#requests, false), ...getChunks(this.#rejected, true)];
    this.#requests = new Map();
    this.#rejected = new Map();
    await write(chunks);
  }
}

function getChunks(recorded: Map<string, string[]>, isRejected: boolean): RequestChunk[] {
  return [...recorded].map(([workspaceId, texts]) => {
    const kept = texts.slice(-KEPT_REQUESTS);
    return { workspaceId, isRejected, count: kept.length, requests: `[${kept.join(",")}]` };
  });
}
