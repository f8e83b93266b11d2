import { newIdempotencyKey } from "../idempotency-key.ts";

/**
 * Additions of records by a page. One that failed may have been carried out, so the same addition has the same
 * idempotency key until it succeeds. Other calls get none: replaying an old update could undo a later one.
 */
export class Additions {
  readonly #keys = new Map<string, string>();
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs work that adds a record. The same addition that runs already is not run twice, such as by a double click. */
  run<Result>(addition: unknown, work: (idempotencyKey: string) => Promise<Result>): Promise<Result> {
    const name = JSON.stringify(addition);
    const running = this.#running.get(name);
    if (running) return castRunning<Result>(running);
    const key = this.#keys.get(name) ?? newIdempotencyKey();
    this.#keys.set(name, key);
    const result = work(key);
    this.#running.set(name, result);
    const end = () => this.#running.delete(name);
    result.then(() => end() && this.#keys.delete(name), end);
    return result;
  }
}

/** Casts a result: the same addition has the same work. */
function castRunning<Result>(running: Promise<unknown>): Promise<Result> {
  return running as Promise<Result>;
}
