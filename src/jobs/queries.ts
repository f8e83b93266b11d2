import { sql, texts, unprepared } from "../database/sql.ts";
import type { Queryable } from "../database/statement.ts";

/** Returns the queues that have a job which may run now. */
export async function selectQueuesWithWork(database: Queryable, names: string[]): Promise<string[]> {
  const rows = await database.run(
    unprepared(
      sql<{ name: string }>`select name from unnest(${texts(names)}) as queue (name)
        where exists (
          select from pgboss.job
          where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now()
        )`,
    ),
  );
  return rows.map(({ name }) => name);
}
