import { LRUCache } from "lru-cache";

const MAX_ENTRIES = 10_000;
/** Upper bound on how long a change can go unnoticed if its notification is lost. */
const LIFETIME_MS = 10_000;
/** Time for which the cache takes the clock as unchanged. */
const CLOCK_MS = 100;

/**
 * The caches of lookups in the database. Other processes notify this one of their changes. Caches start disabled and
 * are disabled while notifications may be missed.
 */
export class LookupCaches {
  readonly #caches: { clear(): void }[] = [];
  #isEnabled = false;

  get isEnabled(): boolean {
    return this.#isEnabled;
  }

  /** Enables the caches when the process starts to receive notifications of changes; disables them when it stops. */
  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    this.clear();
  }

  create<Value extends object | boolean>(): LookupCache<Value> {
    const cache = new LookupCache<Value>(this);
    this.#caches.push(cache);
    return cache;
  }

  /** Clears all caches, because what they hold may have changed. */
  clear(): void {
    for (const cache of this.#caches) cache.clear();
  }
}

/** Cache of the results of one kind of lookup, by key. */
export class LookupCache<Value extends object | boolean> {
  readonly #values = new LRUCache<string, Value>({
    ...{ max: MAX_ENTRIES, ttl: LIFETIME_MS },
    // The cache sets a timer each time that it reads the clock.
    ttlResolution: CLOCK_MS,
  });
  readonly #group: Pick<LookupCaches, "isEnabled">;
  readonly #lookups = new Map<string, Promise<Value>>();
  #generation = 0;

  constructor(group: Pick<LookupCaches, "isEnabled">) {
    this.#group = group;
  }

  /** Returns undefined if the value has to be looked up. */
  get(key: string): Value | undefined {
    return this.#group.isEnabled ? this.#values.get(key) : undefined;
  }

  /** Caches and returns what `find` resolves to. Does not cache what it throws. Concurrent calls share a lookup. */
  async lookUp(key: string, find: () => Promise<Value>): Promise<Value> {
    if (!this.#group.isEnabled) return find();
    const inProgress = this.#lookups.get(key);
    if (inProgress) return inProgress;
    const lookup = this.#findAndCache(key, find);
    this.#lookups.set(key, lookup);
    try {
      return await lookup;
    } finally {
      if (this.#lookups.get(key) === lookup) this.#lookups.delete(key);
    }
  }

  async #findAndCache(key: string, find: () => Promise<Value>): Promise<Value> {
    const generation = this.#generation;
    const value = await find();
    // A change of which another process notified this one during the lookup may be newer than its result.
    if (this.#group.isEnabled && generation === this.#generation) this.#values.set(key, value);
    return value;
  }

  clear(): void {
    this.#generation++;
    this.#values.clear();
    // A lookup in progress may have read what the change replaces, so later calls must not share it.
    this.#lookups.clear();
  }
}
