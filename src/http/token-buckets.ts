import { LRUCache } from "lru-cache";

/** Number of buckets that are kept. The bucket that was used longest ago is forgotten, which fills it. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  /** Time of the last change, by the monotonic clock. */
  changedAtMs: number;
}

interface Rate {
  /** Number of tokens in a full bucket. */
  burst: number;
  /** Number of tokens that are added to each bucket per second. */
  perSecond: number;
  now?: () => number;
}

/** Token buckets by key. */
export class TokenBuckets {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });

  constructor({ burst, perSecond, now = () => performance.now() }: Rate) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Takes a token. Returns false if there is none. */
  take(key: string): boolean {
    const bucket = this.#refilled(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }

  /** Takes tokens even if there are fewer: the bucket then owes them. */
  spend(key: string, tokens: number): void {
    this.#refilled(key).tokens -= tokens;
  }

  giveBack(key: string): void {
    const bucket = this.#refilled(key);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }

  /** Returns the number of tokens, and the whole seconds until there is one and until the bucket is full. */
  getState(key: string): { remaining: number; secondsToNext: number; secondsToFull: number } {
    const { tokens } = this.#refilled(key);
    const secondsTo = (count: number) => Math.max(0, Math.ceil((count - tokens) / this.#perSecond));
    return {
      remaining: Math.max(0, Math.floor(tokens)),
      secondsToNext: secondsTo(1),
      secondsToFull: secondsTo(this.#burst),
    };
  }

  #refilled(key: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      const full = { tokens: this.#burst, changedAtMs: now };
      this.#buckets.set(key, full);
      return full;
    }
    const added = ((now - bucket.changedAtMs) / 1000) * this.#perSecond;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + added);
    bucket.changedAtMs = now;
    return bucket;
  }
}
