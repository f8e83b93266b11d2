import { sql } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";

/** The current time, computed once a statement and not once a row. */
export const NOW_ONCE = sql`(select ${NOW_MS})`;
/** Time after which a user whose presence was not renewed is offline. */
export const OFFLINE_AFTER_MS = sql`10 * 60 * 1000`;
/** Time after which the entry of such a user is gone. */
export const DAY_MS = sql`24 * 60 * 60 * 1000`;
