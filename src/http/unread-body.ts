import type { IncomingMessage } from "node:http";
import { finished, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Size up to which the rest of a body is read, so that the connection can be used again. */
const MAX_SMALL_BODY_BYTES = 16 * 1024;
/** Time for which the rest of a large body is read and discarded. */
const MAX_DISCARD_MS = 30_000;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Returns what to send instead of the response to a request whose body has not been read, so that its connection is
 * closed after it (lingering close). Closing it while the client is sending would reset it, and the client would lose
 * the response. Sends the response at once and delays its end until the client stops sending. Returns other responses
 * unchanged.
 */
export function lingerOnUnreadBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const { raw, server } = request;
  if (raw.complete || !mustLinger(raw, reply) || typeof payload !== "string") return payload;
  const response = Buffer.from(payload);
  reply.headers({ connection: "close", "content-length": response.length });
  return Readable.from(sendAndDiscard(response, raw, server.closing));
}

/**
 * Returns whether the connection must linger: the unread rest may be large, or the connection is to be closed. Node
 * does not read a body in another coding than chunks, so there is nothing to wait for.
 */
function mustLinger({ headers }: IncomingMessage, reply: FastifyReply): boolean {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) return coding.toLowerCase() === "chunked";
  const bytes = Number(headers["content-length"] ?? 0);
  return bytes > (reply.getHeader("connection") === "close" ? 0 : MAX_SMALL_BODY_BYTES);
}

async function* sendAndDiscard(
  response: Buffer,
  request: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield response;
  await discard(request, signal);
}

function discard(request: IncomingMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(stop, MAX_DISCARD_MS);
    const stopWatching = finished(request, stop);
    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > MAX_DISCARDED_BYTES) stop();
    }
    function stop(): void {
      clearTimeout(timer);
      stopWatching();
      signal.removeEventListener("abort", stop);
      request.off("data", count);
      resolve();
    }
    signal.addEventListener("abort", stop);
    request.on("data", count);
    if (signal.aborted) stop();
  });
}
