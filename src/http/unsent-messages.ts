import type { Limits } from "../config/limits.ts";
import type { CountedCaller } from "./request-limits.ts";

const SWEEP_INTERVAL_MS = 500;
/** Share of one workspace in the budget. */
const WORKSPACE_SHARE = 1 / 2;
/** Share of one caller of a workspace. It holds the largest document, even in the smallest budget of a process. */
const CALLER_SHARE = 3 / 8;

/** A socket whose client has not read everything. */
export interface UnsentSocket {
  readonly caller: CountedCaller;
  /** Bytes that wait for the client. */
  readonly unsentBytes: number;
  /** Time at which the client has last taken something, by the monotonic clock. */
  readonly progressAtMs: number;
  cutOff(): void;
}

/**
 * Limits the memory of WebSocket messages that clients do not read, for the process, each workspace and each caller.
 * Cuts a client off that takes nothing for 30 s, or for a second while one of its limits is exceeded.
 */
export class UnsentMessages {
  readonly #limits: Limits["unsentMessages"];
  readonly #sockets = new Set<UnsentSocket>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: Limits["unsentMessages"]) {
    this.#limits = limits;
  }

  /** Called when bytes begin to wait for the client of a socket. */
  add(socket: UnsentSocket): void {
    this.#sockets.add(socket);
    this.#sweep ??= setInterval(() => this.#cutOffStalled(), SWEEP_INTERVAL_MS).unref();
  }

  /** Called when no bytes wait for the client any more. */
  remove(socket: UnsentSocket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  /** Returns whether a caller may be sent more. */
  hasRoom({ group, name }: CountedCaller): boolean {
    const { maxBytes } = this.#limits;
    let [all, ofWorkspace, ofCaller] = [0, 0, 0];
    for (const { caller, unsentBytes } of this.#sockets) {
      all += unsentBytes;
      if (caller.group !== group) continue;
      ofWorkspace += unsentBytes;
      if (caller.name === name) ofCaller += unsentBytes;
    }
    return all < maxBytes && ofWorkspace < maxBytes * WORKSPACE_SHARE && ofCaller < maxBytes * CALLER_SHARE;
  }

  /** Cuts off clients that have stalled, the longest first, while there is no room for them. */
  #cutOffStalled(): void {
    const now = performance.now();
    const { always, whenFull } = this.#limits.stalledMs;
    const stalled = [...this.#sockets].filter(({ progressAtMs }) => now - progressAtMs > Math.min(always, whenFull));
    stalled.sort((one, other) => one.progressAtMs - other.progressAtMs);
    for (const socket of stalled) {
      if (now - socket.progressAtMs > always || !this.hasRoom(socket.caller)) socket.cutOff();
    }
  }
}
