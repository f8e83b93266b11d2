import { once } from "node:events";

/** Rejects with the signal's reason once it is aborted. */
export async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason;
}
