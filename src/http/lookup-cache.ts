import { LRUCache } from "lru-cache";

const MAX_REMEMBERED = 10_000;
/** A second line behind the notifications, which forget at once what has changed. */
const REMEMBER_MS = 10_000;

/** Remembers what the database answered until it is told to forget. */
export class LookupCache<Value extends object | boolean> {
  readonly #values = new LRUCache<string, Value>({ max: MAX_REMEMBERED, ttl: REMEMBER_MS });
  readonly #mayRemember: () => boolean;
  #generation = 0;

  /** `mayRemember` is false while changes made by other processes may be missed. */
  constructor(mayRemember: () => boolean) {
    this.#mayRemember = mayRemember;
  }

  /** Undefined where it has to be looked up. */
  get(name: string): Value | undefined {
    return this.#mayRemember() ? this.#values.get(name) : undefined;
  }

  /** Remembers what `find` resolves to; what it throws is not remembered. */
  async lookUp(name: string, find: () => Promise<Value>): Promise<Value> {
    const generation = this.#generation;
    const value = await find();
    // A change announced while the lookup ran may have come after what it read.
    if (this.#mayRemember() && generation === this.#generation) this.#values.set(name, value);
    return value;
  }

  forget(): void {
    this.#generation++;
    this.#values.clear();
  }
}
