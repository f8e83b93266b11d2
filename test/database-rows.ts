import type { Database } from "../src/database/database.ts";
import { runSql } from "./run-sql.ts";

/** Tables whose rows change later than a call or with the calls of every workspace. */
const EXCLUDED = ["auth_tokens", "login_attempts"];

interface Table {
  name: string;
  columns: string[];
}

/**
 * Every row of every table of the service at one moment, as text and in order, each with its table in front; without
 * those of one workspace where that is given.
 */
export async function readRows(database: Database, without?: string): Promise<string[]> {
  const tables = await runSql<Table>(
    database,
    `select relname::text as name, array_agg(attname::text) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
     group by relname`,
    [EXCLUDED],
  );
  const statements = tables.map(
    (table) => `select '${table.name} ' || whole::text as text from ${table.name} as whole
      where $1::uuid is null or ${otherWorkspacesCondition(table)}`,
  );
  const rows = await runSql<{ text: string }>(database, statements.join(" union all "), [without ?? null]);
  return rows.map(({ text }) => text).sort();
}

/** What is of no workspace counts as another's. */
function otherWorkspacesCondition({ name, columns }: Table): string {
  if (name === "workspaces") return "id <> $1";
  if (columns.includes("workspace_id")) return "workspace_id <> $1";
  if (columns.includes("deletion_id")) {
    return "deletion_id not in (select id from user_data_deletions where workspace_id = $1)";
  }
  if (!columns.includes("organization_key")) return "true";
  return "organization_key not in (select organization_key from organizations where workspace_id = $1)";
}
