import { writeSync } from "node:fs";

/** Size of the waiting lines from which on further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 5;
/** Time for which the end of the process waits for the reader. */
const EXIT_WAIT_MS = 500;

let dropped = 0;

/** Returns the number of lines of the log that this process could not write. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * Writes each line at once. Lines for which the reader of a pipe leaves no room wait in memory, so that a slow reader
 * does not stall the event loop. Drops a line that cannot be written and never throws, so that no log fails a request.
 */
export class LineWriter {
  readonly #fd: number;
  /** Waiting lines; the first may be written in part. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #retries: NodeJS.Timeout | undefined;
  /** Whether a line was dropped that had been written in part. */
  #isCutOff = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    if (this.#waitingBytes >= MAX_WAITING_BYTES) {
      dropped++;
      return;
    }
    const bytes = Buffer.from(this.#isCutOff ? `\n${line}` : line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#retries === undefined) this.#writeWaiting();
  }

  #writeWaiting(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    for (const [index, line] of lines.entries()) {
      const rest = this.#writeNow(line);
      this.#waitingBytes -= line.length - rest.length;
      if (rest.length === 0) continue;
      this.#waiting = [rest, ...lines.slice(index + 1)];
      break;
    }
    this.#setRetrying(this.#waiting.length > 0);
  }

  /** Returns the part for which there is no room. Drops the line if it cannot be written. */
  #writeNow(line: Uint8Array): Uint8Array {
    let rest = line;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
      this.#isCutOff = false;
      return rest;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return rest;
      this.#isCutOff ||= rest.length < line.length;
      dropped++;
      return Buffer.alloc(0);
    }
  }

  #setRetrying(isRetrying: boolean): void {
    if (isRetrying === (this.#retries !== undefined)) return;
    if (isRetrying) {
      this.#retries = setInterval(() => this.#writeWaiting(), RETRY_MS).unref();
      process.on("exit", this.#finish);
    } else {
      clearInterval(this.#retries);
      this.#retries = undefined;
      process.off("exit", this.#finish);
    }
  }

  /** Writes the waiting lines before the process ends. */
  readonly #finish = (): void => {
    const deadline = performance.now() + EXIT_WAIT_MS;
    while (this.#waiting.length > 0 && performance.now() < deadline) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      this.#writeWaiting();
    }
  };
}
