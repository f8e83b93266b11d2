import type { Database } from "../src/database/database.ts";
import type { Queryable } from "../src/database/statement.ts";
import { runSql } from "./run-sql.ts";

/**
 * Runs the work, which deletes something, before the job of the deletion may end. A job waits for the transactions that
 * are open when it starts, because they may still commit data of the deletion. This one is open until the work is done.
 */
export function beforePurge<Result>(
  { database }: { database: Database },
  work: (openTransaction: Queryable) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await runSql(transaction, "select 1");
    return work(transaction);
  });
}
