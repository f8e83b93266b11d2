import type { RecordedRequest } from "../../contract/recorded-request.ts";
import { KEPT_REQUESTS, type RequestChunk } from "./request-log-queries.ts";

/** The requests of a process since the last flush. */
export class RequestRecorder {
  #requests = new Map<string, string[]>();

  /** Records a request. Only the newest of a workspace are kept, however many there are in a second. */
  record(workspaceId: string, request: RecordedRequest): void {
    const requests = this.#requests.get(workspaceId) ?? [];
    requests.push(JSON.stringify(request));
    // Dropping half at a time keeps the cost of a request constant.
    if (requests.length === 2 * KEPT_REQUESTS) requests.splice(0, KEPT_REQUESTS);
    this.#requests.set(workspaceId, requests);
  }

  /** Passes the recorded requests to `write`. They are lost if it fails, since others will follow. */
  async flush(write: (chunks: RequestChunk[]) => Promise<void>): Promise<void> {
    if (this.#requests.size === 0) return;
    const requests = this.#requests;
    this.#requests = new Map();
    await write([...requests].map(([workspaceId, texts]) => getChunk(workspaceId, texts.slice(-KEPT_REQUESTS))));
  }
}

function getChunk(workspaceId: string, texts: string[]): RequestChunk {
  return { workspaceId, count: texts.length, requests: `[${texts.join(",")}]` };
}
