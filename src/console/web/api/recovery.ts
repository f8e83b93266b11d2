import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { isRetryable } from "./api-error.ts";

/** Time between two reads while the service does not respond. */
const RECOVERY_MS = 5_000;

/** Returns the time until a failed query is retried automatically, so that it recovers with the service. */
export function recoveryInterval({ state }: { state: { error: Error | null } }): number | false {
  return isRetryable(state.error) && RECOVERY_MS;
}

/** Returns the error of a query. Keeps it while a first read is retried, when the query itself has none. */
export function useLastingError({ error, isPending, errorUpdateCount }: UseQueryResult): Error | null {
  const [last, setLast] = useState(error);
  if (error && error !== last) setLast(error);
  return isPending && errorUpdateCount > 0 && isRetryable(last) ? last : error;
}
