/**
 * PostgreSQL's settings, given on its command line so that nothing written in the cluster weakens them.
 * Comments name chapters of https://www.postgresql.org/docs/18/.
 */
export function serverSettings(memoryBytes: number, maxConnections: number): Record<string, string> {
  const megabytes = memoryBytes / 2 ** 20;
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(megabytes * part, least), most))}MB`;
  return {
    // Committed data survives a power cut (runtime-config-wal).
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    // A dedicated machine would use 25 % (runtime-config-resource); this one also runs Node.js and its callers.
    shared_buffers: share(1 / 8, 32, 2048),
    // This is an estimate for the planner and allocates nothing (runtime-config-query).
    effective_cache_size: share(1 / 2, 128, 65536),
    // Only one index build or vacuum at a time uses this memory (runtime-config-resource).
    maintenance_work_mem: share(1 / 32, 16, 512),
    // Limits the disk space of the WAL and the duration of crash recovery (wal-configuration).
    max_wal_size: share(1 / 8, 128, 1024),
    // Unused slots cost little.
    max_connections: String(maxConnections),
    // This value fits solid-state disks; the default of 4 fits hard disks (runtime-config-query).
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
