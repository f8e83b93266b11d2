import { sql, text, texts } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";

/** Channel by which processes send each other what pages have sent about their users. */
export const PRESENCE_CHANNEL = "colloquy_presence";

/** Sends payloads to all processes of the database, this one included, in this order. */
export async function notifyPresence(database: Queryable, payloads: readonly string[]): Promise<void> {
  await database.run(sql`
    select pg_notify(${text(PRESENCE_CHANNEL)}, payload)
    from unnest(${texts(payloads)}) with ordinality as sent (payload, position)
    order by position`);
}
