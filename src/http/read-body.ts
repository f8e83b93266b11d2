import type { Readable } from "node:stream";
import { bodyTooLargeMessage } from "../contract/body-limit.ts";
import { ServiceError } from "../contract/errors.ts";
import type { BodyClaim } from "./body-budget.ts";
import { JsonScanner } from "./json-scanner.ts";
import { parseJson } from "./parse-json.ts";

/** Maximum size of a body that is not counted to the budget if it arrives as a whole. */
const MAX_UNCOUNTED_BYTES = 4 * 1024;

interface BodyOptions {
  /** Value of the Content-Length header; NaN if there is none. */
  contentLength: number;
  maxBytes: number;
  claim: BodyClaim;
  /** Is called with the whole body before it is parsed. */
  onBytes?: ((bytes: Buffer) => void) | undefined;
}

/** Reads and parses a body. Throws as soon as the part that has arrived exceeds a limit. */
export async function readBody(stream: Readable, options: BodyOptions): Promise<unknown> {
  const { contentLength, maxBytes, claim, onBytes } = options;
  if (contentLength > maxBytes) throw tooLarge(maxBytes);
  const scanner = new JsonScanner();
  const collected = new GrowingBuffer(contentLength || maxBytes);
  await eachChunk(stream, (chunk) => {
    if (collected.length + chunk.length > maxBytes) throw tooLarge(maxBytes);
    claim.add(chunk.length);
    scanner.scan(chunk);
    collected.append(chunk);
  });
  onBytes?.(collected.bytes);
  return parseJson(collected.bytes, scanner);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("body_too_large", bodyTooLargeMessage(maxBytes));
}

function incomplete(): ServiceError {
  return new ServiceError("request_invalid", "The body is incomplete.");
}

/**
 * Returns a small body that has arrived as a whole, as most have. It takes no more memory than its connection already
 * had for it, and nothing has to be awaited.
 */
export function takeArrivedBody(stream: Readable, contentLength: number): Buffer | undefined {
  if (contentLength > MAX_UNCOUNTED_BYTES || stream.readableLength !== contentLength) return undefined;
  return stream.read() ?? undefined;
}

export function parseArrivedBody(bytes: Buffer): unknown {
  const scanner = new JsonScanner();
  scanner.scan(bytes);
  return parseJson(bytes, scanner);
}

/** Calls the function with each chunk until the stream ends. Rejects with what it throws, and reads no further. */
function eachChunk(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // A stream that has ended before it is read emits nothing any more.
    if (stream.destroyed) return reject(incomplete());
    function stop(settle: () => void): void {
      stream.off("data", onData).off("end", onEnd).off("close", onBreak).off("error", onBreak);
      settle();
    }
    function onData(chunk: Buffer): void {
      try {
        take(chunk);
      } catch (error) {
        stop(() => reject(error));
      }
    }
    const onEnd = () => stop(resolve);
    const onBreak = () => stop(() => reject(incomplete()));
    stream.on("data", onData).on("end", onEnd).on("close", onBreak).on("error", onBreak);
  });
}

/**
 * Collects chunks in one buffer. A list of them would take a hundred times the memory if each is a few bytes long. The
 * buffer doubles when it is full, up to its maximum size.
 */
class GrowingBuffer {
  readonly #maxSize: number;
  length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  append(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) {
        this.#buffer = enlarged(this.bytes, Math.max(length, Math.min(2 * this.length, this.#maxSize)));
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
