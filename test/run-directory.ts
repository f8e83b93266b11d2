import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Making a cluster's 1,500 files was measured at 0.05 s in memory and 0.37 s of processor time on a disk. No test
 * takes a machine's power away, and what PostgreSQL is told about durability is the same everywhere.
 */
const MEMORY = "/dev/shm";
/** Several times what a run takes; containers often have 64 MiB. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * A directory for all files of the run, from now on the temporary one of this process and of the workers: in memory
 * where there is enough, otherwise, or when TMPDIR is set, in the system's temporary directory.
 */
export function makeRunDirectory(): string {
  const isInMemory = process.env.TMPDIR === undefined && freeBytes(MEMORY) >= MIN_FREE_BYTES;
  if (isInMemory) removeAbandoned();
  const directory = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `colloquy-test-${process.pid}-`));
  // PostgreSQL's account has to get through.
  chmodSync(directory, 0o711);
  process.env.TMPDIR = directory;
  return directory;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** What runs that were killed have left would take memory until the machine starts anew. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^colloquy-test-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
