import { setTimeout as delay } from "node:timers/promises";
import type { JobContext } from "../../jobs/jobs.ts";
import { RetryLater } from "../../jobs/jobs.ts";
import { selectRunningTransactions } from "./purge-queries.ts";

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
/** Maximum waiting time; a backup, for example, may run for hours. */
const PATIENCE_MS = 10_000;

/** Records the running transactions. The returned function resolves when all have ended, or throws a RetryLater. */
export async function saveRunningTransactions({ database, signal }: JobContext): Promise<() => Promise<void>> {
  const running = await database.run(selectRunningTransactions);
  return async () => {
    const deadline = performance.now() + PATIENCE_MS;
    let waitMs = FIRST_WAIT_MS;
    while (!running.isDisjointFrom(await database.run(selectRunningTransactions))) {
      if (performance.now() > deadline) throw new RetryLater("transactions from before the deletion still run");
      await delay(waitMs, undefined, { signal });
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  };
}
