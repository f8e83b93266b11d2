import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/limits.ts";
import { limitError } from "../contract/limit-error.ts";
import { type CountedCaller, countedCaller } from "./request-limits.ts";
import { UnsentBytes } from "./unsent-bytes.ts";

/** Size of the pieces in which a large response is sent. Smaller responses fit into the buffers of the system. */
const PIECE_BYTES = 64 * 1024;

/** Limits the memory of responses that clients do not read. If it is used up, a new response is UNAVAILABLE. */
export class UnsentResponses {
  readonly #unsent: UnsentBytes;

  constructor(limits: Limits["unsentResponses"]) {
    this.#unsent = new UnsentBytes(limits);
  }

  /** Returns what to send instead of a large response, and other responses unchanged. Throws if there is no room. */
  limit(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    if ((typeof payload !== "string" && !Buffer.isBuffer(payload)) || payload.length <= PIECE_BYTES) return payload;
    if (request.method === "HEAD") return payload;
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const caller = countedCaller(request);
    if (!this.#unsent.makeRoom(caller, bytes.length)) {
      throw limitError("unread_responses", "Too many responses are not read.");
    }
    reply.header("content-length", bytes.length);
    return Readable.from(this.#send(bytes, caller, reply), { highWaterMark: 1 });
  }

  /** Yields the pieces of a response. The stream asks for the next one when the client has taken the last. */
  async *#send(bytes: Buffer, caller: CountedCaller, reply: FastifyReply): AsyncGenerator<Buffer> {
    const response = {
      caller,
      unsentBytes: bytes.length,
      progressAtMs: performance.now(),
      cutOff: () => reply.raw.destroy(),
    };
    this.#unsent.add(response);
    reply.raw.once("close", () => this.#unsent.remove(response));
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      response.progressAtMs = performance.now();
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }
}
