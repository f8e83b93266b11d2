import { unavailable } from "../contract/errors.ts";
import { LARGE_BODY_BYTES } from "../contract/next-turn.ts";

/** Maximum number of bytes of request bodies that the process holds, unparsed, for all callers together. */
const TOTAL_BYTES = 256 * 1024 * 1024;
/** Share of one workspace. */
const WORKSPACE_BYTES = TOTAL_BYTES / 2;
/** Share of all requests without credentials. */
const PUBLIC_BYTES = 8 * 1024 * 1024;

/** Limits the memory that request bodies take, so that no workspace and no stranger can take all of it. */
export class BodyBudget {
  #total = 0;
  readonly #bytesOf = new Map<string | undefined, number>();

  /** Returns the claim of a new request. Without a workspace it counts as public. */
  claim(workspaceId: string | undefined): BodyClaim {
    let claimed = 0;
    return {
      get isLarge() {
        return claimed >= LARGE_BODY_BYTES;
      },
      add: (bytes) => {
        claimed += bytes;
        this.#add(workspaceId, bytes);
        const limit = workspaceId === undefined ? PUBLIC_BYTES : WORKSPACE_BYTES;
        if (this.#total > TOTAL_BYTES || (this.#bytesOf.get(workspaceId) ?? 0) > limit)
          throw unavailable("overloaded", "Too many request bodies are being read.");
      },
      release: () => {
        this.#add(workspaceId, -claimed);
        claimed = 0;
      },
    };
  }

  #add(workspaceId: string | undefined, bytes: number): void {
    const sum = (this.#bytesOf.get(workspaceId) ?? 0) + bytes;
    if (sum === 0) this.#bytesOf.delete(workspaceId);
    else this.#bytesOf.set(workspaceId, sum);
    this.#total += bytes;
  }
}

/** Bytes that the body of one request takes of the budget. */
export interface BodyClaim {
  /** Counts bytes that have arrived. Throws UNAVAILABLE if the budget is exhausted. */
  add(bytes: number): void;
  /** Whether the steps of the request must take turns with others. */
  readonly isLarge: boolean;
  /** Returns all bytes to the budget. Later calls have no effect. */
  release(): void;
}
