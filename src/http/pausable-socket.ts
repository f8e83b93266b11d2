import type { WebSocket } from "ws";

/** Bytes that wait for a client that does not read them, past which it is cut off. It holds the largest document. */
const MAX_UNREAD_BYTES = 24 * 1024 * 1024;

/** A WebSocket that can be paused several times, and that is cut off if its client does not read. */
export class PausableSocket {
  readonly #webSocket: WebSocket;
  #pauses = 0;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
  }

  get readyState(): number {
    return this.#webSocket.readyState;
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (data instanceof Blob) throw new Error("a message must be bytes or text");
    this.#webSocket.send(data);
    if (this.#webSocket.bufferedAmount > MAX_UNREAD_BYTES) this.#webSocket.terminate();
  }

  close(code?: number, reason?: string): void {
    this.#webSocket.close(code, reason);
  }

  /** Closes the connection at once, without a close frame. */
  terminate(): void {
    this.#webSocket.terminate();
  }

  /** Stops reading until `resume` was called as often. */
  pause(): void {
    if (++this.#pauses === 1) this.#webSocket.pause();
  }

  resume(): void {
    if (--this.#pauses === 0) this.#webSocket.resume();
  }
}
