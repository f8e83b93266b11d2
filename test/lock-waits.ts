import { expect, inject } from "vitest";
import type { Queryable } from "../src/database/statement.ts";
import { eventually } from "./eventually.ts";
import { runSql } from "./run-sql.ts";

/** Lists the statements that wait for a lock; on Citus they may wait on any node. */
const WAITING =
  inject("serverUrls").length > 1
    ? "select from citus_lock_waits"
    : "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/**
 * Resolves when at least `count` statements wait for a lock, in a database of the test's own service. A job of the
 * service may wait for the same lock.
 */
export function untilWaiting(database: Queryable, count = 1): Promise<unknown> {
  return eventually(async () => expect((await runSql(database, WAITING)).length).toBeGreaterThanOrEqual(count));
}
