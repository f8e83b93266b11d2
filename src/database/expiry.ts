import type { Logger } from "pino";

/** Deletes about `limit` expired rows. Returns how many it found, or 0 if it deleted none of them. */
export type DeleteExpiredChunk = (limit: number) => Promise<number>;

/** Unit of the retentions. */
export const DAY_MS = 24 * 60 * 60 * 1000;

const INTERVAL_MS = 10 * 60 * 1000;
const ROWS_PER_STATEMENT = 1_000;

/** Deletes all expired rows, about 1,000 per statement, for as long as `mayContinue` returns true. */
export async function deleteExpiredRows(
  deleteChunk: DeleteExpiredChunk,
  mayContinue: () => boolean = () => true,
): Promise<void> {
  let deleted: number;
  do deleted = await deleteChunk(ROWS_PER_STATEMENT);
  while (deleted >= ROWS_PER_STATEMENT && mayContinue());
}

/**
 * Deletes expired rows every 10 minutes, unless the previous deletion still runs. `stop` waits for the statement that
 * runs.
 */
export function startExpiry(kind: string, deleteChunk: DeleteExpiredChunk, log: Logger): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= deleteExpiredRows(deleteChunk, () => !isStopped)
      .catch((err: unknown) => log.warn({ err, kind }, "expired rows could not be deleted"))
      .finally(() => {
        running = undefined;
      });
  }, INTERVAL_MS);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
