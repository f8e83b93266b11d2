import { availableParallelism, totalmem } from "node:os";

const MAX_DEFAULT_PROCESSES = 8;
/** Memory below which a machine runs one process, because each takes up to 360 MB under load. */
const MIN_SHARED_BYTES = 2 * 2 ** 30;

/** Returns the memory of the machine, or the limit of the container if that is lower. */
export function availableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns one process for each core that this process may use, at most 8; one if there is little memory. The embedded
 * database takes about as much processor time as the service, so half of the cores are left to it.
 */
export function defaultProcesses({
  isDatabaseEmbedded,
  cores = availableParallelism(),
  memoryBytes = availableMemoryBytes(),
}: {
  isDatabaseEmbedded: boolean;
  cores?: number;
  memoryBytes?: number;
}): number {
  if (memoryBytes < MIN_SHARED_BYTES) return 1;
  return Math.min(isDatabaseEmbedded ? Math.ceil(cores / 2) : cores, MAX_DEFAULT_PROCESSES);
}
