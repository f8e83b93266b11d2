import { getCallerBytes, type Limits, WORKSPACE_SHARE } from "../config/limits.ts";
import { limitError } from "../contract/limit-error.ts";
import type { CountedCaller } from "./request-limits.ts";

/** Share of all requests whose caller is not known. */
const UNKNOWN_SHARE = 1 / 32;
/** Share of the requests of one client address whose caller is not known. */
const CLIENT_SHARE = 1 / 256;

/**
 * Limits the memory that request bodies, and messages of WebSockets, take while they arrive, so that no workspace, no
 * caller and no stranger can take all of it.
 */
export class BodyBudget {
  readonly #total: Share;
  readonly #unknown: Share;
  /** Shares of requests in progress, by workspace, caller or client address. */
  readonly #shares = new Map<string, Share>();

  /** `maxBytes` is the number of bytes that the process holds, unparsed, for all callers together. */
  constructor({ maxBytes }: Limits["bodies"]) {
    this.#total = new Share(maxBytes);
    this.#unknown = new Share(maxBytes * UNKNOWN_SHARE);
  }

  claim(caller: CountedCaller): BodyClaim {
    const { group, name, isKnown } = caller;
    const { maxBytes } = this.#total;
    const parts = isKnown
      ? { [group]: maxBytes * WORKSPACE_SHARE, [`${group} ${name}`]: getCallerBytes(maxBytes, caller) }
      : { [group]: maxBytes * CLIENT_SHARE };
    const own = Object.entries(parts).map(([key, bytes]) => this.#getClaim(key, bytes));
    const shares = isKnown ? [...own, this.#total] : [...own, this.#unknown, this.#total];
    let claimed = 0;
    let isReleased = false;
    return {
      add: (bytes) => {
        claimed += bytes;
        for (const share of shares) share.bytes += bytes;
        if (shares.some((share) => share.bytes > share.maxBytes))
          throw limitError("bodies", "Too many request bodies are being read.");
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const share of shares) share.bytes -= claimed;
        for (const key of Object.keys(parts)) this.#leave(key);
      },
    };
  }

  #getClaim(key: string, maxBytes: number): Share {
    const share = this.#shares.get(key) ?? new Share(maxBytes);
    this.#shares.set(key, share);
    share.claims++;
    return share;
  }

  #leave(key: string): void {
    const share = this.#shares.get(key);
    if (share && --share.claims === 0) this.#shares.delete(key);
  }
}

class Share {
  readonly maxBytes: number;
  bytes = 0;
  /** Number of requests that count to it. */
  claims = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }
}

/** Bytes that the body of one request, or one message, takes of the budget. */
export interface BodyClaim {
  /** Counts bytes that have arrived. Throws UNAVAILABLE if the budget is exhausted. */
  add(bytes: number): void;
  /** Returns all bytes to the budget. Later calls have no effect. */
  release(): void;
}
