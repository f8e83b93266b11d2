/**
 * Reads the processor time of processes from the kernel's accounting in /proc/<pid>/stat (Linux). A cgroup would give
 * the same numbers, but creating one takes privileges that a developer's shell rarely has.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Unit of the times in /proc/<pid>/stat: USER_HZ, which is 100 per second on every architecture that Node runs on. */
const TICK_US = 10_000;

export const hasProcessAccounting = existsSync("/proc/self/stat");

interface ProcessTime {
  pid: number;
  parentPid: number;
  us: number;
}

/**
 * Returns the microseconds of processor time, in user and kernel mode, that a process and its descendants have used so
 * far; NaN if there is no /proc. Includes all threads, and the descendants that ended: once a parent has waited for a
 * child, the kernel adds the child's time to the parent's cutime and cstime. Each process is exact to 10 ms.
 */
export function processorTimeUs(rootPid: number): number {
  if (!hasProcessAccounting) return Number.NaN;
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcessTime(Number(pid)) ?? []);
  const childrenByParent = Map.groupBy(processes, ({ parentPid }) => parentPid);
  const sumTree = ({ pid, us }: ProcessTime): number =>
    (childrenByParent.get(pid) ?? []).reduce((sum, child) => sum + sumTree(child), us);
  return processes.filter(({ pid }) => pid === rootPid).reduce((sum, root) => sum + sumTree(root), 0);
}

/** Returns the process that started the process. */
export function parentPid(pid: number): number {
  return readProcessTime(pid)?.parentPid ?? 0;
}

/** Returns undefined for a process that ended after /proc was listed. */
function readProcessTime(pid: number): ProcessTime | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
    return { pid, parentPid: Number(fields[1]), us: (utime + stime + cutime + cstime) * TICK_US };
  } catch {
    return undefined;
  }
}

/** Shares of a core. */
interface Shares {
  service: number;
  postgres: number;
}

/** Returns the shares of a core that the service and PostgreSQL use while the work runs. */
export async function processorShares(
  { service, postmaster }: { service: number; postmaster: number },
  work: () => Promise<void>,
): Promise<Shares> {
  const used = () => [processorTimeUs(service), processorTimeUs(postmaster)] as const;
  const before = used();
  const startedAt = performance.now();
  await work();
  const after = used();
  const elapsedUs = (performance.now() - startedAt) * 1000;
  return { service: (after[0] - before[0]) / elapsedUs, postgres: (after[1] - before[1]) / elapsedUs };
}

export function describeShares({ service, postgres }: Shares): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return `${percent(service)} of a core in the service, ${percent(postgres)} in PostgreSQL`;
}
