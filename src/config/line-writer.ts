import { writeSync } from "node:fs";

/** Longest wait for a reader that is slower than the writer, such as of a pipe. */
const PATIENCE_MS = 100;
const RETRY_MS = 5;

let dropped = 0;

/** Returns the number of lines of the log that this process could not write. */
export function droppedLogLines(): number {
  return dropped;
}

/** Writes each line at once. Drops a line that cannot be written and never throws, so that no log fails a request. */
export class LineWriter {
  readonly #fd: number;
  #isFailing = false;
  /** Whether the last line was written in part. */
  #isCutOff = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    let rest: Uint8Array = Buffer.from(this.#isCutOff ? `\n${line}` : line);
    // The process must not wait again and again for a reader that has stopped.
    const deadline = performance.now() + (this.#isFailing ? 0 : PATIENCE_MS);
    try {
      while (rest.length > 0) {
        const written = this.#writeSome(rest, deadline);
        this.#isCutOff = written < rest.length;
        rest = rest.subarray(written);
      }
      this.#isFailing = false;
    } catch {
      this.#isFailing = true;
      dropped++;
    }
  }

  /** Writes as much as possible and returns the number of bytes. Waits for a full pipe until the deadline. */
  #writeSome(bytes: Uint8Array, deadline: number): number {
    for (;;) {
      try {
        return writeSync(this.#fd, bytes);
      } catch (error) {
        const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
        if (!isFull || performance.now() >= deadline) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}
