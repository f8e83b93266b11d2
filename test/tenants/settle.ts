import type { Database } from "../../src/database/database.ts";
import { JOB_KINDS } from "../../src/service/job-kinds.ts";
import { letPass } from "../delayed-notifications.ts";
import { eventually } from "../eventually.ts";
import { runSql } from "../run-sql.ts";
import type { Space } from "./tenant.ts";

const JOB_NAMES = JOB_KINDS.map(({ definition }) => definition.name);

/** Lets the time pass for which notifications are delayed, and wakes the jobs that deliver them. */
export async function deliverDelayed(database: Database, spaces: Space[]): Promise<void> {
  for (const { workspace, tenants } of spaces) {
    for (const { organizationId } of tenants) await letPass(database, workspace, 700, organizationId);
  }
  await wakeJobs(database, ["created", "retry"]);
}

function wakeJobs(database: Database, states: string[]): Promise<unknown> {
  const wake = "update pgboss.job set start_after = now() where start_after > now() and name = any($1)";
  return runSql(database, `${wake} and state::text = any($2)`, [JOB_NAMES, states]);
}

/** Waits until there are no jobs except for what is delayed, and no webhooks that were not sent. */
export async function settle(database: Database): Promise<void> {
  await eventually(async () => {
    // An attempt can fail on a busy machine.
    await wakeJobs(database, ["retry"]);
    const left = await runSql<{ name: string }>(
      database,
      `select name from pgboss.job where name = any($1) and state in ('created', 'retry', 'active')
         and start_after < now() + interval '5 minutes'
       union all
       select 'webhook ' || id from webhook_messages where status = 'pending'
       union all
       select 'event of ' || organization_key from event_positions
         join organizations using (organization_key)
         join webhook_configs using (workspace_id)
         left join webhook_dispatches using (organization_key)
       where event_positions.position > coalesce(webhook_dispatches.position, 0)`,
      [JOB_NAMES],
    );
    if (left.length > 0) throw new Error(`There is work left: ${left.map(({ name }) => name).join(", ")}`);
  });
}
