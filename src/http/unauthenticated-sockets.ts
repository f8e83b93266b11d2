import type { Limits } from "../config/limits.ts";
import { getClient } from "../contract/client-address.ts";
import { limitError } from "../contract/limit-error.ts";
import { OpenCounts } from "./open-counts.ts";
import type { PausableSocket } from "./pausable-socket.ts";

/** Close code of a caller that may not use the service, and why. */
const TOKEN_REQUIRED = { code: 1008, reason: "token_required" };
/** Time after which a client that does not close its socket, as it should, is cut off. */
const CLOSING_MS = 1_000;

/** Limits the WebSockets whose callers are not known, because they have sent no valid token yet. */
export class UnauthenticatedSockets {
  readonly #limits: Limits["unauthenticatedSockets"];
  /** Sockets, by client. */
  readonly #open = new OpenCounts();

  constructor(limits: Limits["unauthenticatedSockets"]) {
    this.#limits = limits;
  }

  /** Counts a socket that a client opens. Throws RESOURCE_EXHAUSTED if the client has too many. */
  enter(clientAddress: string): UnauthenticatedSocket {
    const { maxOfClient } = this.#limits;
    const leave = this.#open.enter(getClient(clientAddress), maxOfClient);
    if (!leave) {
      const message = `Your address has ${maxOfClient} WebSockets open that have not sent a valid token, the maximum.`;
      throw limitError("unauthenticated_sockets", message);
    }
    return new UnauthenticatedSocket(this.#limits, leave);
  }
}

/**
 * A WebSocket that is limited until its caller is known. While it is paused, a token of it is checked, and the limits
 * are enforced once that has ended.
 */
export class UnauthenticatedSocket {
  readonly #limits: Limits["unauthenticatedSockets"];
  #left: (() => void) | undefined;
  #bytes = 0;
  #deadline: NodeJS.Timeout | undefined;

  constructor(limits: Limits["unauthenticatedSockets"], left: () => void) {
    this.#limits = limits;
    this.#left = left;
  }

  /** Closes the socket unless its caller is known in time. `closing` is called before. */
  limitTime(socket: PausableSocket, closing: (reason: string) => void): void {
    const close = (): void => {
      if (!this.#left) return;
      closing(TOKEN_REQUIRED.reason);
      socket.close(TOKEN_REQUIRED.code, TOKEN_REQUIRED.reason);
      this.#deadline = setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    };
    this.#deadline = setTimeout(() => socket.whenResumed(close), this.#limits.maxMs).unref();
  }

  /** Counts bytes that have arrived, and were handled. Cuts the socket off if they are too many. */
  count(bytes: number, socket: PausableSocket, closing: (reason: string) => void): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#limits.maxBytes) return;
    socket.whenResumed(() => {
      if (!this.#left) return;
      closing(TOKEN_REQUIRED.reason);
      socket.terminate();
      this.leave();
    });
  }

  /** Ends the limits, because the caller is known or the socket is closed. Later calls have no effect. */
  leave(): void {
    clearTimeout(this.#deadline);
    this.#left?.();
    this.#left = undefined;
  }
}
