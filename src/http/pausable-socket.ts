import type { WebSocket } from "ws";
import type { CountedCaller } from "./request-limits.ts";
import type { ResponseScheduler } from "./response-scheduler.ts";
import type { Unsent, UnsentBytes } from "./unsent-bytes.ts";

/** Bytes that wait for a client that does not read them, past which it is cut off. It holds the largest document. */
const MAX_UNREAD_BYTES = 24 * 1024 * 1024;
/** Size of the pieces in which a large message is sent, by which it is known whether the client reads. */
const PIECE_BYTES = 64 * 1024;

interface Dependencies {
  webSocket: WebSocket;
  caller: CountedCaller;
  unsent: UnsentBytes;
  responses: ResponseScheduler;
  /** Called before the client is cut off because it does not read. */
  closing(reason: string): void;
}

/** A WebSocket that can be paused several times, and that is cut off if its client does not read. */
export class PausableSocket implements Unsent {
  /** To whom its messages are counted. */
  caller: CountedCaller;
  unsentBytes = 0;
  progressAtMs = 0;
  readonly #webSocket: WebSocket;
  readonly #dependencies: Omit<Dependencies, "webSocket" | "caller">;
  #pauses = 0;
  /** Called once the socket is not paused any more. */
  #resumed: (() => void)[] = [];
  /** Messages that wait for the pieces of one before them. */
  #queue: Uint8Array[] = [];
  #isSendingPieces = false;
  #isClosed = false;
  #totalBytes = 0;
  /** Called once the bytes before a position are sent. */
  #waiting: { position: number; resolve(): void }[] = [];

  constructor({ webSocket, caller, ...dependencies }: Dependencies) {
    this.#webSocket = webSocket;
    this.caller = caller;
    this.#dependencies = dependencies;
  }

  get readyState(): number {
    return this.#webSocket.readyState;
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (!(data instanceof Uint8Array)) throw new Error("a message must be bytes");
    if (this.#isClosed) return;
    if (this.unsentBytes === 0) {
      this.progressAtMs = performance.now();
      this.#dependencies.unsent.add(this);
    }
    this.unsentBytes += data.length;
    this.#totalBytes += data.length;
    this.#queue.push(data);
    if (!this.#isSendingPieces) void this.#sendQueue();
    if (this.unsentBytes > MAX_UNREAD_BYTES) this.cutOff();
  }

  /** Does work that sends a large response, once the client has read all before it and the process has capacity. */
  async respond(work: () => Promise<void>): Promise<void> {
    if (this.unsentBytes > 0) {
      await new Promise<void>((resolve) => this.#waiting.push({ position: this.#totalBytes, resolve }));
    }
    await this.#dependencies.responses.run(this.caller, () => this.#isClosed, work);
  }

  close(code?: number, reason?: string): void {
    this.#webSocket.close(code, reason);
  }

  /** Closes the connection at once, without a close frame. */
  terminate(): void {
    this.#webSocket.terminate();
  }

  /** Cuts off a client that does not read. */
  cutOff(): void {
    if (this.#isClosed) return;
    this.#dependencies.closing("not_read");
    this.closed();
    this.terminate();
  }

  /** Called when the socket is closed. */
  closed(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.unsentBytes = 0;
    this.#dependencies.unsent.remove(this);
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting = [];
  }

  /** Stops reading until `resume` was called as often. */
  pause(): void {
    if (++this.#pauses === 1) this.#webSocket.pause();
  }

  resume(): void {
    if (--this.#pauses > 0) return;
    this.#webSocket.resume();
    const callbacks = this.#resumed;
    this.#resumed = [];
    for (const callback of callbacks) callback();
  }

  /** Calls back when the socket is not paused: now, or once it resumes. */
  whenResumed(callback: () => void): void {
    if (this.isPaused) this.#resumed.push(callback);
    else callback();
  }

  async #sendQueue(): Promise<void> {
    for (let message = this.#queue.shift(); message; message = this.#queue.shift()) {
      const { length } = message;
      if (length <= PIECE_BYTES) {
        this.#webSocket.send(message, () => this.#sent(length));
        continue;
      }
      this.#isSendingPieces = true;
      for (let at = 0; at < length && !this.#isClosed; at += PIECE_BYTES) {
        const piece = message.subarray(at, at + PIECE_BYTES);
        const fin = at + PIECE_BYTES >= length;
        await new Promise<void>((resolve) => this.#webSocket.send(piece, { binary: true, fin }, () => resolve()));
        this.#sent(piece.length);
      }
      this.#isSendingPieces = false;
    }
  }

  #sent(bytes: number): void {
    if (this.#isClosed) return;
    this.unsentBytes -= bytes;
    this.progressAtMs = performance.now();
    if (this.unsentBytes === 0) this.#dependencies.unsent.remove(this);
    const sent = this.#totalBytes - this.unsentBytes;
    while (this.#waiting[0] && this.#waiting[0].position <= sent) this.#waiting.shift()?.resolve();
  }
}
