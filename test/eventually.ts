import { vi } from "vitest";

/** Waits end on their condition. The limit only ends a run that hangs, so a slow machine never reaches it. */
const OPTIONS = { timeout: 60_000, interval: 50 };
/**
 * Processes forget a changed setting when they are notified of it, and without a notification after 10 s. A test of
 * the notification polls with these options.
 */
export const BEFORE_CACHE_EXPIRY = { timeout: 8_000, interval: 20 };

/** Calls `check` until it does not throw; returns its result. */
export function eventually<Result>(check: () => Promise<Result> | Result): Promise<Result> {
  return vi.waitFor(check, OPTIONS);
}
