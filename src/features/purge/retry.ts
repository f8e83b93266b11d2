import { setTimeout as delay } from "node:timers/promises";
import type { JobContext } from "../../jobs/jobs.ts";

const INTERVAL_MS = 50;

/** Repeats the attempt until it returns true. Waits 50 ms in between, because others hold locks on rows to purge. */
export async function retryUntilComplete({ signal }: JobContext, attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt())) await delay(INTERVAL_MS, undefined, { signal });
}
