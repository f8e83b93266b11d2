import type { Readable } from "node:stream";
import { bodyTooLargeMessage } from "../contract/body-limit.ts";
import { ServiceError } from "../contract/errors.ts";
import { LARGE_BODY_BYTES, nextTurn } from "../json/next-turn.ts";
import type { BodyClaim } from "./body-budget.ts";
import { JsonScanner } from "./json-scanner.ts";
import { parseBody } from "./parse-body.ts";

interface BodyOptions {
  /** Value of the Content-Length header; NaN if there is none. */
  announcedBytes: number;
  maxBytes: number;
  claim: BodyClaim;
  /** Is called with the whole body before it is parsed. */
  onBytes?: ((bytes: Buffer) => void) | undefined;
}

/** Reads and parses a body. Throws as soon as the part that has arrived exceeds a limit. */
export async function readBody(stream: Readable, options: BodyOptions): Promise<unknown> {
  const { announcedBytes, maxBytes, claim, onBytes } = options;
  if (announcedBytes > maxBytes) throw tooLarge(maxBytes);
  const scanner = new JsonScanner();
  const arrived = arrivedBody(stream, announcedBytes);
  if (arrived) {
    claim.add(arrived.length);
    scanner.scan(arrived);
    onBytes?.(arrived);
    return parseBody(arrived, scanner);
  }
  const collected = new GrowingBuffer(announcedBytes || maxBytes);
  await eachChunk(stream, (chunk) => {
    if (collected.length + chunk.length > maxBytes) throw tooLarge(maxBytes);
    claim.add(chunk.length);
    scanner.scan(chunk);
    collected.append(chunk);
  });
  onBytes?.(collected.bytes);
  return parseBody(collected.bytes, scanner);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("body_too_large", bodyTooLargeMessage(maxBytes));
}

function incomplete(): ServiceError {
  return new ServiceError("request_invalid", "The body is incomplete.");
}

/** Returns a small body that has arrived as a whole. Most have, and need not wait for events of the stream. */
function arrivedBody(stream: Readable, announcedBytes: number): Buffer | undefined {
  const isWhole = stream.readableLength === announcedBytes && announcedBytes < LARGE_BODY_BYTES;
  return isWhole ? (stream.read() ?? undefined) : undefined;
}

/**
 * Calls the function with each chunk until the stream ends. Rejects with what it throws, and reads no further. Large
 * bodies take turns: Node would read 2 MB of each before it accepts the next connection.
 */
function eachChunk(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // A stream that has ended before it is read emits nothing any more.
    if (stream.destroyed) return reject(incomplete());
    let turnBytes = 0;
    function stop(settle: () => void): void {
      stream.off("data", onData).off("end", onEnd).off("close", onBreak).off("error", onBreak);
      settle();
    }
    function onData(chunk: Buffer): void {
      try {
        take(chunk);
        turnBytes += chunk.length;
        if (turnBytes >= LARGE_BODY_BYTES) endTurn();
      } catch (error) {
        stop(() => reject(error));
      }
    }
    function endTurn(): void {
      turnBytes = 0;
      stream.pause();
      void nextTurn().then(() => stream.resume());
    }
    const onEnd = () => stop(resolve);
    const onBreak = () => stop(() => reject(incomplete()));
    stream.on("data", onData).on("end", onEnd).on("close", onBreak).on("error", onBreak);
  });
}

/**
 * Collects chunks in one buffer. A list of them would take a hundred times the memory if each is a few bytes long. Once
 * the bytes are many, the buffer gets its last size and is not copied again. It takes only the memory of its bytes.
 */
class GrowingBuffer {
  readonly #lastSize: number;
  length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(lastSize: number) {
    this.#lastSize = lastSize;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  append(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) {
        const size = length < LARGE_BODY_BYTES ? 2 * this.length : this.#lastSize;
        this.#buffer = enlarged(this.bytes, Math.max(length, size));
      }
      chunk.copy(this.#buffer, this.length);
    }
    this.length = length;
  }
}

function enlarged(bytes: Buffer, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  bytes.copy(buffer);
  return buffer;
}
