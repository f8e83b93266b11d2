import { LIMIT_KINDS } from "../config/limit-kinds.ts";
import { ServiceError } from "../contract/errors.ts";
import { getLimit } from "../contract/limit-error.ts";

/** Counts what a process rejects because of a limit, by the limit. */
export class LimitRejections {
  readonly #counts: Record<string, number> = Object.fromEntries(Object.keys(LIMIT_KINDS).map((limit) => [limit, 0]));

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  /** Counts an error if it is about a limit. */
  count(error: unknown): void {
    const limit = error instanceof ServiceError ? getLimit(error) : undefined;
    if (limit !== undefined) this.#counts[limit] = (this.#counts[limit] ?? 0) + 1;
  }
}
