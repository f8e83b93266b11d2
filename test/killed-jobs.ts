import type { Queryable } from "../src/database/statement.ts";
import { runSql } from "./run-sql.ts";

/** Shifts the last heartbeat of running jobs, as if their processes had been killed an hour ago. */
export async function expireHeartbeats(database: Queryable): Promise<void> {
  await runSql(
    database,
    "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'",
  );
}

/** Makes jobs that wait for their next attempt due now. */
export async function skipRetryDelays(database: Queryable): Promise<void> {
  await runSql(database, "update pgboss.job set start_after = now() where state = 'retry' and start_after > now()");
}
