/** Limits that protect the service from its callers. They are no settings; tests replace them. */
export interface Limits {
  /** Requests that wait for others to end. */
  admission: { maxWaiting: number; maxWaitMs: number };
  /** Requests with wrong credentials from one client address. */
  wrongCredentials: {
    /** Number of requests in a burst. */
    burst: number;
    perSecond: number;
    /** Time that a refusal past the limit takes, so that a client that retries at once is slow. */
    delayMs: number;
  };
}

export const LIMITS: Limits = {
  admission: { maxWaiting: 20_000, maxWaitMs: 1_500 },
  wrongCredentials: { burst: 100, perSecond: 5, delayMs: 1_000 },
};
