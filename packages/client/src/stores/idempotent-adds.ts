import { newIdempotencyKey } from "../idempotency-key.ts";

/**
 * Adds records with an idempotency key, which an equal add keeps until it succeeds: one that failed may have been
 * carried out. Other calls get no key, because replaying an old update could undo a later one.
 */
export class IdempotentAdds {
  readonly #keys = new Map<string, string>();
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs an add, unless an equal one is running, as after a double click. `content` is what is added. */
  run<Result>(content: unknown, add: (idempotencyKey: string) => Promise<Result>): Promise<Result> {
    const name = JSON.stringify(content);
    const running = this.#running.get(name);
    if (running) return castRunning<Result>(running);
    const key = this.#keys.get(name) ?? newIdempotencyKey();
    this.#keys.set(name, key);
    const result = add(key);
    this.#running.set(name, result);
    const end = () => this.#running.delete(name);
    result.then(() => end() && this.#keys.delete(name), end);
    return result;
  }
}

/** Casts a result: equal adds have results of the same type. */
function castRunning<Result>(running: Promise<unknown>): Promise<Result> {
  return running as Promise<Result>;
}
