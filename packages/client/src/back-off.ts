import { ColloquyError } from "./errors.ts";

const FIRST_MS = 250;
const MAX_MS = 30_000;

/** Returns a random delay before a retry, at least what the service asked for. Its mean doubles with each failure. */
export function delayBefore(retry: number, error?: unknown): number {
  const asked = error instanceof ColloquyError ? (error.retryAfterMs ?? 0) : 0;
  return asked + Math.random() * Math.min(MAX_MS, FIRST_MS * 2 ** retry);
}

/** Resolves after a time. Throws the reason of the signal as soon as it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Returns the result of the work, or throws the reason of the signal as soon as it aborts. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  let end = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
    end = () => signal?.removeEventListener("abort", abort);
  });
  return Promise.race([work, aborted]).finally(end);
}

/** Returns a controller that also aborts with a signal, until `end` is called. `AbortSignal.any` needs Safari 17.4. */
export function linkedController(signal: AbortSignal | undefined): { controller: AbortController; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return { controller, end: () => signal?.removeEventListener("abort", abort) };
}

/**
 * Runs work with a signal that aborts after a time, with a TimeoutError, or with the given signal.
 * `AbortSignal.timeout` has no TimeoutError in Chrome before 124.
 */
export async function withTimeout<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, end } = linkedController(signal);
  const timer = setTimeout(() => controller.abort(new DOMException("The time is over.", "TimeoutError")), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    end();
  }
}
