import type { Database } from "../src/database/database.ts";
import { OWNED_TABLES } from "../src/features/purge/owned-tables.ts";
import { organizationKey } from "../src/features/tenancy/organization-key.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

/** Columns by which deletions of users' data go, in addition to those by which deletions of documents go. */
const OF_USERS: { [table: string]: string[] } = {
  comment_reactions: ["created_at"],
  comment_reads: ["read_at"],
  comments: ["created_at"],
  user_group_members: ["written_at"],
  users: ["written_at"],
};

/** Makes everything in the organization `acme` as old as if the clock of the database had been set back since. */
export async function setClockBack(
  { database }: { database: Database },
  workspace: TestWorkspace,
  byMs: number,
): Promise<void> {
  for (const { name, writtenAt, writtenLaterAt, isTimestamp } of OWNED_TABLES) {
    const columns = [writtenAt, writtenLaterAt, ...(OF_USERS[name] ?? [])].filter((column) => column !== undefined);
    if (columns.length === 0) continue;
    const later = [...new Set(columns)].map((column) => `${column} = ${isTimestamp ? "$2" : `${column} + $3`}`);
    await runSql(
      database,
      `update ${name} set ${later.join(", ")} where organization_key = $1
        and $2::timestamptz is not null and $3::bigint is not null`,
      [organizationKey(workspace.id, "acme"), new Date(Date.now() + byMs), byMs],
    );
  }
}
