import type { IncomingMessage } from "node:http";
import type { Limits } from "../config/limits.ts";
import { ServiceError } from "../contract/errors.ts";

/** Requests whose bodies are uploads, which may take longer than others. */
const uploading = new WeakSet<object>();

/** Returns whether a connection is receiving an upload, which ends by limits of its own. */
export function isUploading(socket: object): boolean {
  return uploading.has(socket);
}

/**
 * Passes the bytes of an upload on, each part once the one before is taken, so that a fast client does not fill the
 * memory. Rejects if the client disconnects, is too slow, or the service stops.
 */
export function readUpload(
  request: IncomingMessage,
  { size, limits, closing }: { size: number; limits: Limits["uploads"]; closing: AbortSignal },
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const { socket } = request;
  return new Promise((resolve, reject) => {
    let progressAt = performance.now();
    const startedAt = progressAt;
    const timer = setInterval(check, limits.checkIntervalMs);
    uploading.add(socket);
    function stop(settle: () => void): void {
      clearInterval(timer);
      uploading.delete(socket);
      closing.removeEventListener("abort", onClosing);
      request.off("data", onData).off("end", onEnd).off("close", onBreak).off("error", onBreak);
      settle();
    }
    function fail(error: unknown): void {
      stop(() => reject(error));
    }
    function check(): void {
      const now = performance.now();
      const allowedMs = limits.maxMs + (size / limits.minBytesPerSecond) * 1000;
      if (now - progressAt > limits.stalledMs || now - startedAt > allowedMs) {
        fail(new ServiceError("request_timeout", "The upload is too slow. Send it again."));
      }
    }
    function onData(chunk: Buffer): void {
      progressAt = performance.now();
      request.pause();
      take(chunk).then(() => {
        progressAt = performance.now();
        request.resume();
      }, fail);
    }
    function onEnd(): void {
      stop(resolve);
    }
    const onBreak = () => fail(new ServiceError("request_invalid", "The body is incomplete."));
    const onClosing = () => fail(new ServiceError("overloaded", "The service is stopping. Send the upload again."));
    closing.addEventListener("abort", onClosing);
    request.on("data", onData).on("end", onEnd).on("close", onBreak).on("error", onBreak);
    if (request.destroyed && !request.readableEnded) onBreak();
    else if (closing.aborted) onClosing();
  });
}
