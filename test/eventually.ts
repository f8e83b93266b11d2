import { vi } from "vitest";

/** Polling options. The timeout is long enough for a slow machine; only a run that hangs reaches it. */
const OPTIONS = { timeout: 60_000, interval: 50 };
/** Polling options that end before the cache of settings expires after 10 s, for tests of its invalidation. */
export const BEFORE_CACHE_EXPIRY = { timeout: 8_000, interval: 20 };

/** Calls `check` until it does not throw, and returns its result. */
export function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
  return vi.waitFor(check, OPTIONS);
}
