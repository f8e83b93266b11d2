import { Socket } from "node:net";

/** A code of one byte, and the size of the rest with itself. */
const HEADER_BYTES = 5;
/** More than what is mostly read at once; a larger message gets a buffer of its own while it arrives. */
const USUAL_BYTES = 128 * 1024;

/**
 * A socket to PostgreSQL, without TLS, that reads into one buffer again and again. Of Node's own sockets each read is a
 * new buffer, and `pg` puts messages together in yet others: of pages of 50 records, a tenth of the process's memory.
 */
export function messageSocket(): Socket {
  const messages = new MessageBuffer();
  const socket = new Socket({
    onread: {
      buffer: () => messages.space(),
      callback(count) {
        const whole = messages.take(count);
        if (whole.length > 0) socket.emit("data", whole);
        return true;
      },
    },
  });
  return socket;
}

/** Bytes of PostgreSQL's protocol. `pg` takes copies of whole messages, but keeps the bytes of one that has begun. */
export class MessageBuffer {
  #bytes = Buffer.allocUnsafeSlow(USUAL_BYTES);
  /** From here on they are of a message that has begun. */
  #begun = 0;
  #end = 0;
  /** Of the message that has begun, 0 until it is known. */
  #size = 0;

  /** Where the next bytes belong. What `take` has returned is gone then. */
  space(): Buffer {
    const capacity = Math.max(this.#size, USUAL_BYTES);
    const from = this.#bytes;
    if (capacity !== from.length) this.#bytes = Buffer.allocUnsafeSlow(capacity);
    if (this.#begun > 0 || this.#bytes !== from) from.copy(this.#bytes, 0, this.#begun, this.#end);
    this.#end -= this.#begun;
    this.#begun = 0;
    return this.#bytes.subarray(this.#end);
  }

  /** Of the bytes so far, of which `count` have just been put there, those of whole messages. */
  take(count: number): Buffer {
    this.#end += count;
    this.#size = 0;
    while (this.#end - this.#begun >= HEADER_BYTES) {
      this.#size = 1 + this.#bytes.readUInt32BE(this.#begun + 1);
      if (this.#begun + this.#size > this.#end) break;
      this.#begun += this.#size;
      this.#size = 0;
    }
    return this.#bytes.subarray(0, this.#begun);
  }
}
