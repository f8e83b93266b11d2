import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/limits.ts";
import { unavailable } from "../contract/errors.ts";

/** Size of the pieces in which a large answer is sent. Smaller answers fit into the buffers of the system. */
const PIECE_BYTES = 64 * 1024;
/** Interval at which clients are checked for progress. */
const SWEEP_INTERVAL_MS = 1_000;

interface UnsentAnswer {
  bytes: number;
  /** Time at which the client has last taken a piece, by the monotonic clock. */
  progressAtMs: number;
  cutOff(): void;
}

/**
 * Limits the memory of answers that clients do not read. Cuts a client off that takes nothing for 30 s, or for a second
 * while the unsent answers of all clients exceed their budget. If that does not make room, a new answer is UNAVAILABLE.
 */
export class UnsentAnswers {
  readonly #limits: Limits["unsentAnswers"];
  readonly #answers = new Set<UnsentAnswer>();
  #bytes = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: Limits["unsentAnswers"]) {
    this.#limits = limits;
  }

  /** Returns what to send instead of a large answer, and other answers unchanged. Throws if there is no room. */
  limit(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    if ((typeof payload !== "string" && !Buffer.isBuffer(payload)) || payload.length <= PIECE_BYTES) return payload;
    if (request.method === "HEAD") return payload;
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    if (!this.#makeRoomFor(bytes.length)) throw unavailable("overloaded", "Too many answers are not read.");
    reply.header("content-length", bytes.length);
    return Readable.from(this.#send(bytes, reply), { highWaterMark: 1 });
  }

  /** Cuts off the clients that have stalled longest until there is room. Returns whether there is. */
  #makeRoomFor(bytes: number): boolean {
    if (this.#bytes + bytes <= this.#limits.maxBytes) return true;
    const stalledBefore = performance.now() - this.#limits.stalledMs.whenFull;
    const stalled = [...this.#answers].filter(({ progressAtMs }) => progressAtMs < stalledBefore);
    stalled.sort((one, other) => other.progressAtMs - one.progressAtMs);
    while (this.#bytes + bytes > this.#limits.maxBytes) {
      const longest = stalled.pop();
      if (!longest) return false;
      this.#remove(longest);
      longest.cutOff();
    }
    return true;
  }

  /** Yields the pieces of an answer. The stream asks for the next one when the client has taken the last. */
  async *#send(bytes: Buffer, reply: FastifyReply): AsyncGenerator<Buffer> {
    const answer = { bytes: bytes.length, progressAtMs: performance.now(), cutOff: () => reply.raw.destroy() };
    this.#add(answer);
    reply.raw.once("close", () => this.#remove(answer));
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      answer.progressAtMs = performance.now();
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }

  #add(answer: UnsentAnswer): void {
    this.#answers.add(answer);
    this.#bytes += answer.bytes;
    this.#sweep ??= setInterval(() => this.#cutOffStalled(this.#limits.stalledMs.always), SWEEP_INTERVAL_MS);
  }

  #remove(answer: UnsentAnswer): void {
    if (!this.#answers.delete(answer)) return;
    this.#bytes -= answer.bytes;
    if (this.#answers.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #cutOffStalled(stalledMs: number): void {
    const stalledBefore = performance.now() - stalledMs;
    for (const answer of this.#answers) if (answer.progressAtMs < stalledBefore) answer.cutOff();
  }
}
