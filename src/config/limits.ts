/** Limits that protect the service from its callers. They are not configurable; tests replace them. */
export interface Limits {
  /** Requests that wait to be looked at. */
  gate: { maxWaiting: number; maxWaitMs: number };
  /** Authenticated requests that wait for others to end. */
  admission: { maxWaiting: number; maxWaitMs: number };
  /** Answers of more than 64 KiB that their clients have not read. */
  unsentAnswers: {
    maxBytes: number;
    /** Time without progress after which a client is cut off: `always`, and while `maxBytes` are exceeded. */
    stalledMs: { always: number; whenFull: number };
  };
  /** Times for receiving a request, and how often they are checked. */
  receiving: { maxMs: number; checkIntervalMs: number };
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
  gate: { maxWaiting: 20_000, maxWaitMs: 2_000 },
  admission: { maxWaiting: 20_000, maxWaitMs: 1_500 },
  unsentAnswers: { maxBytes: 128 * 1024 * 1024, stalledMs: { always: 30_000, whenFull: 1_000 } },
  receiving: { maxMs: 60_000, checkIntervalMs: 1_000 },
  wrongCredentials: { burst: 100, perSecond: 5, delayMs: 1_000 },
};
