import { sql } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";

/**
 * Takes the next number for a token, a revocation or a removal of permissions in tokens. It tells their order, which
 * the clock does not. Returns the time of the database too.
 */
export async function takeTokenNumber(database: Queryable): Promise<{ number: number; now: number }> {
  const [row] = await database.run(
    sql<{ number: number; now: number }>`select nextval('user_token_sequence') as number, ${NOW_MS} as now`,
  );
  if (!row) throw new Error("the database returned no number");
  return row;
}
