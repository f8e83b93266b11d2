import { totalmem } from "node:os";

/**
 * PostgreSQL's settings, given on its command line so that nothing written in the cluster weakens them.
 * The chapter named in a comment is one of https://www.postgresql.org/docs/18/.
 */
export function serverSettings(memoryBytes: number): Record<string, string> {
  const megabytes = memoryBytes / 2 ** 20;
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(megabytes * part, least), most))}MB`;
  return {
    // Durability (runtime-config-wal): what a commit has answered survives a power cut.
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    // runtime-config-resource advises 25% of a machine of its own; this one is shared with Node and its callers.
    shared_buffers: share(1 / 8, 32, 2048),
    // A planner's estimate, not an allocation (runtime-config-query).
    effective_cache_size: share(1 / 2, 128, 65536),
    // One index build or vacuum at a time needs it (runtime-config-resource).
    maintenance_work_mem: share(1 / 32, 16, 512),
    // Bounds crash recovery, which replays at most this much; also the disk that WAL takes (wal-configuration).
    max_wal_size: share(1 / 8, 128, 1024),
    // Above the pools of a few services and commands; idle slots cost little (runtime-config-connection).
    max_connections: "200",
    // For solid-state disks (runtime-config-query); 4 stands for spinning ones.
    random_page_cost: "1.1",
    // Compiling costs more than it saves on statements of milliseconds (jit-decision).
    jit: "off",
    // Parallel plans need /dev/shm, which containers limit to 64 MB, and gain nothing on short statements.
    max_parallel_workers_per_gather: "0",
    timezone: "UTC",
    log_timezone: "UTC",
    // The service logs failed statements itself; here they would fill the disk and copy users' data into a log.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
  };
}

/** The machine's memory, or the container's limit where that is lower. */
export function availableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
