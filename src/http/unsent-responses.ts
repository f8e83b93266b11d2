import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/limits.ts";
import { unavailable } from "../contract/errors.ts";

/** Size of the pieces in which a large response is sent. Smaller responses fit into the buffers of the system. */
const PIECE_BYTES = 64 * 1024;
/** Interval at which clients are checked for progress. */
const SWEEP_INTERVAL_MS = 1_000;

interface UnsentResponse {
  bytes: number;
  /** Time at which the client has last taken a piece, by the monotonic clock. */
  progressAtMs: number;
  cutOff(): void;
}

/**
 * Limits the memory of responses that clients do not read. Cuts a client off that takes nothing for 30 s, or for a
 * second while the unsent responses of all clients exceed their budget. If that does not make room, a new response is
 * UNAVAILABLE.
 */
export class UnsentResponses {
  readonly #limits: Limits["unsentResponses"];
  readonly #responses = new Set<UnsentResponse>();
  #bytes = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: Limits["unsentResponses"]) {
    this.#limits = limits;
  }

  /** Returns what to send instead of a large response, and other responses unchanged. Throws if there is no room. */
  limit(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    if ((typeof payload !== "string" && !Buffer.isBuffer(payload)) || payload.length <= PIECE_BYTES) return payload;
    if (request.method === "HEAD") return payload;
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    if (!this.#makeRoomFor(bytes.length)) throw unavailable("overloaded", "Too many responses are not read.");
    reply.header("content-length", bytes.length);
    return Readable.from(this.#send(bytes, reply), { highWaterMark: 1 });
  }

  /** Cuts off the clients that have stalled longest until there is room. Returns whether there is. */
  #makeRoomFor(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#limits.maxBytes) return true;
    const stalledBefore = performance.now() - this.#limits.stalledMs.whenFull;
    const stalled = [...this.#responses].filter(({ progressAtMs }) => progressAtMs < stalledBefore);
    stalled.sort((one, other) => other.progressAtMs - one.progressAtMs);
    while (this.#bytes + bytes > this.#limits.maxBytes) {
      const longest = stalled.pop();
      if (!longest) return false;
      this.#remove(longest);
      longest.cutOff();
    }
    return true;
  }

  /** Yields the pieces of a response. The stream asks for the next one when the client has taken the last. */
  async *#send(bytes: Buffer, reply: FastifyReply): AsyncGenerator<Buffer> {
    const response = { bytes: bytes.length, progressAtMs: performance.now(), cutOff: () => reply.raw.destroy() };
    this.#add(response);
    reply.raw.once("close", () => this.#remove(response));
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      response.progressAtMs = performance.now();
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }

  #add(response: UnsentResponse): void {
    this.#responses.add(response);
    this.#bytes += response.bytes;
    this.#sweep ??= setInterval(() => this.#cutOffStalled(this.#limits.stalledMs.always), SWEEP_INTERVAL_MS);
  }

  #remove(response: UnsentResponse): void {
    if (!this.#responses.delete(response)) return;
    this.#bytes -= response.bytes;
    if (this.#responses.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #cutOffStalled(stalledMs: number): void {
    const stalledBefore = performance.now() - stalledMs;
    for (const response of this.#responses) if (response.progressAtMs < stalledBefore) response.cutOff();
  }
}
