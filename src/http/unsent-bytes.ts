import { getCallerBytes, type Limits, WORKSPACE_SHARE } from "../config/limits.ts";
import type { CountedCaller } from "./request-limits.ts";

const SWEEP_INTERVAL_MS = 500;

/** A response or a socket whose client has not read everything. */
export interface Unsent {
  readonly caller: CountedCaller;
  /** Bytes that wait for the client. */
  readonly unsentBytes: number;
  /** Time at which the client has last taken something, by the monotonic clock. */
  readonly progressAtMs: number;
  cutOff(): void;
}

/**
 * Limits the memory of what clients do not read, for the process, each workspace and each caller. Cuts a client off
 * that takes nothing for 30 s, or for a second while one of its limits is exceeded.
 */
export class UnsentBytes {
  readonly #limits: Limits["unsentResponses"];
  readonly #unsent = new Set<Unsent>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(limits: Limits["unsentResponses"]) {
    this.#limits = limits;
  }

  /** Called when bytes begin to wait for a client. */
  add(unsent: Unsent): void {
    this.#unsent.add(unsent);
    this.#sweep ??= setInterval(() => this.#cutOffStalled(), SWEEP_INTERVAL_MS).unref();
  }

  /** Called when no bytes wait for the client any more. */
  remove(unsent: Unsent): void {
    this.#unsent.delete(unsent);
    if (this.#unsent.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  /** Returns whether a caller may be sent more: `bytes`, if their number is known. One response is never too large. */
  hasRoom(caller: CountedCaller, bytes = 0): boolean {
    const { maxBytes } = this.#limits;
    let [all, workspaceBytes, callerBytes] = [0, 0, 0];
    for (const { caller: other, unsentBytes } of this.#unsent) {
      all += unsentBytes;
      if (other.group !== caller.group) continue;
      workspaceBytes += unsentBytes;
      if (other.name === caller.name) callerBytes += unsentBytes;
    }
    const fits = (unsentBytes: number, max: number) => unsentBytes === 0 || unsentBytes + bytes < max;
    return (
      fits(all, maxBytes) &&
      fits(workspaceBytes, maxBytes * WORKSPACE_SHARE) &&
      fits(callerBytes, getCallerBytes(maxBytes, caller))
    );
  }

  /** Returns whether there is room for a response, after cutting off clients that have stalled if there was none. */
  makeRoom(caller: CountedCaller, bytes: number): boolean {
    if (!this.hasRoom(caller, bytes)) this.#cutOffStalled({ caller, bytes });
    return this.hasRoom(caller, bytes);
  }

  /** Cuts off clients that have stalled, the longest first, while there is no room for them or for what is `wanted`. */
  #cutOffStalled(wanted?: { caller: CountedCaller; bytes: number }): void {
    const now = performance.now();
    const { always, whenFull } = this.#limits.stalledMs;
    const stalled = [...this.#unsent].filter(({ progressAtMs }) => now - progressAtMs > Math.min(always, whenFull));
    stalled.sort((one, other) => one.progressAtMs - other.progressAtMs);
    for (const unsent of stalled) {
      const isFull = !(wanted ? this.hasRoom(wanted.caller, wanted.bytes) : this.hasRoom(unsent.caller));
      if (now - unsent.progressAtMs <= always && !isFull) continue;
      this.remove(unsent);
      unsent.cutOff();
    }
  }
}
