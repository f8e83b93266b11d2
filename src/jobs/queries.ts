import type { Queryable } from "../database/database.ts";

/** Those of the queues that have a job which may run now. */
export async function selectQueuesWithWork(database: Queryable, names: string[]): Promise<string[]> {
  const { rows } = await database.unprepared<{ name: string }>(
    `select name from unnest($1::text[]) as queue (name)
     where exists (
       select from pgboss.job
       where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now()
     )`,
    [names],
  );
  return rows.map(({ name }) => name);
}
