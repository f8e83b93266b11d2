import { identifier, type Sql, sql, unprepared } from "../../database/sql.ts";
import { AHEAD_MS, milliseconds, NOW_MS } from "../../database/time.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";

/** Times that the clock of the database has given, each with an index on the organization and the time. */
const OF_ORGANIZATIONS = [
  ["activities", "created_at"],
  ["comment_annotations", "updated_at"],
  ["recordings", "created_at"],
] as const;

/** Returns the newest time in a table by its index on the organization and the time. */
function newestOfOrganizations([table, column]: (typeof OF_ORGANIZATIONS)[number]): Sql {
  return sql`select max(newest.at) as at from organizations cross join lateral (
      select written.${identifier(column)} as at from ${identifier(table)} written
      where written.organization_key = organizations.organization_key
      order by written.${identifier(column)} desc limit 1
    ) as newest`;
}

/** Statements on the newest times of tables that are small, or have an index on the time. */
const NEWEST_TIMES: readonly Sql[] = [
  ...OF_ORGANIZATIONS.map(newestOfOrganizations),
  sql`select max(created_at) as at from events`,
  sql`select max(created_at) as at from webhook_messages`,
  sql`select max(created_at) as at from idempotency_keys`,
  sql`select max(accepted_at) as at from user_data_deletions`,
  sql`select ${milliseconds(sql`max(greatest(created_at, last_used_at))`)} as at from auth_tokens`,
];

/** Times in milliseconds since the epoch. */
export interface NewestTime {
  newest: number;
  /** The time by the clock of the database. */
  now: number;
}

/** Returns the newest time of what is stored, or `known` if it is later, if the clock of the database is behind it. */
export async function selectTimeAhead(scope: CrossTenantScope, known = 0): Promise<NewestTime | undefined> {
  let newest = known;
  for (const statement of NEWEST_TIMES) {
    const [row] = await scope.run(unprepared(sql<{ at: number | null }>`${statement}`));
    newest = Math.max(newest, row?.at ?? 0);
  }
  const [clock] = await scope.run(sql<{ now: number }>`select ${NOW_MS} as now`);
  return clock && newest > clock.now + AHEAD_MS ? { newest, now: clock.now } : undefined;
}
