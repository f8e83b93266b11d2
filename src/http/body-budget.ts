import type { Limits } from "../config/limits.ts";
import { unavailable } from "../contract/errors.ts";
import { LARGE_BODY_BYTES } from "../json/next-turn.ts";

/** Share of one workspace in the budget. */
const WORKSPACE_SHARE = 1 / 2;
/** Share of all requests without credentials. */
const PUBLIC_SHARE = 1 / 32;
/** Share of the requests without credentials of one client. */
const PUBLIC_CLIENT_SHARE = 1 / 256;

/** Whom bytes are counted to: a workspace, or the address of a client without credentials. */
export type BodyOwner = { workspaceId: string } | { client: string };

/**
 * Limits the memory that request bodies, and messages of WebSockets, take while they arrive, so that no workspace and
 * no stranger can take all of it.
 */
export class BodyBudget {
  readonly #total: Share;
  readonly #public: Share;
  /** Shares of requests in progress, by workspace or client. */
  readonly #shares = new Map<string, Share>();

  /** `maxBytes` is the number of bytes that the process holds, unparsed, for all callers together. */
  constructor({ maxBytes }: Limits["bodies"]) {
    this.#total = new Share(maxBytes);
    this.#public = new Share(maxBytes * PUBLIC_SHARE);
  }

  claim(owner: BodyOwner): BodyClaim {
    const isPublic = "client" in owner;
    const name = isPublic ? owner.client : owner.workspaceId;
    const own =
      this.#shares.get(name) ?? new Share(this.#total.maxBytes * (isPublic ? PUBLIC_CLIENT_SHARE : WORKSPACE_SHARE));
    const shares = isPublic ? [own, this.#public, this.#total] : [own, this.#total];
    this.#shares.set(name, own);
    own.claims++;
    let claimed = 0;
    let isReleased = false;
    return {
      get isLarge() {
        return claimed >= LARGE_BODY_BYTES;
      },
      add: (bytes) => {
        claimed += bytes;
        for (const share of shares) share.bytes += bytes;
        if (shares.some((share) => share.bytes > share.maxBytes))
          throw unavailable("overloaded", "Too many request bodies are being read.");
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const share of shares) share.bytes -= claimed;
        if (--own.claims === 0) this.#shares.delete(name);
      },
    };
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
  /** Whether the steps of the request must take turns with others. */
  readonly isLarge: boolean;
  /** Returns all bytes to the budget. Later calls have no effect. */
  release(): void;
}
