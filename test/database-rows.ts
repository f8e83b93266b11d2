import type { Database } from "../src/database/database.ts";
import { runSql } from "./run-sql.ts";

/** Tables whose rows change later than a call or with the calls of every workspace. */
const EXCLUDED = [
  ...["auth_tokens", "login_attempts", "request_log", "webhook_dispatches", "webhook_leases", "webhook_messages"],
];
/** Columns that change later than a call. */
const EXCLUDED_COLUMNS = ["failing_since", "last_failed_at"];

interface RowFilters {
  exceptWorkspaceId?: string;
  excludedTables?: readonly string[];
  excludedColumns?: readonly string[];
  containing?: string[];
}

interface Table {
  name: string;
  columns: string[];
}

/**
 * Returns a snapshot of all rows of all tables as sorted texts, each prefixed with its table. Skips the rows of the
 * workspace `exceptWorkspaceId`, the tables `excludedTables`, the columns `excludedColumns`, and rows that contain none
 * of the texts `containing`, whose case does not matter.
 */
export async function readRows(
  database: Database,
  { exceptWorkspaceId, excludedTables = EXCLUDED, excludedColumns = EXCLUDED_COLUMNS, containing }: RowFilters = {},
): Promise<string[]> {
  const tables = await runSql<Table>(
    database,
    `select relname::text as name, array_agg(attname::text order by attname) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
     group by relname`,
    [excludedTables],
  );
  if (tables.length === 0) return [];
  const statements = tables.map(
    (
      table,
    ) => `select '${table.name} ' || row(${comparedColumns(table, excludedColumns)})::text as text from ${table.name}
      where $1::uuid is null or ${otherWorkspacesCondition(table)}`,
  );
  const rows = await runSql<{ text: string }>(
    database,
    `select text from (${statements.join(" union all ")}) as rows
     where $2::text[] is null or ${containsAny("$2::text[]")}`,
    [exceptWorkspaceId ?? null, containing ?? null],
  );
  return rows.map(({ text }) => text).sort();
}

/** Returns the SQL condition that the column `text` contains one of the texts of a parameter. Ignores case. */
export function containsAny(parameter: string): string {
  return `exists (select from unnest(${parameter}) as searched where position(lower(searched) in lower(text)) > 0)`;
}

function comparedColumns({ columns }: Table, excluded: readonly string[]): string {
  return columns
    .filter((name) => !excluded.includes(name))
    .map((name) => `"${name}"`)
    .join(", ");
}

/** Returns the SQL condition for rows that do not belong to workspace $1. Rows of no workspace match. */
function otherWorkspacesCondition({ name, columns }: Table): string {
  if (name === "workspaces") return "id <> $1";
  if (columns.includes("workspace_id")) return "workspace_id <> $1";
  if (columns.includes("deletion_id")) {
    return "deletion_id not in (select id from user_data_deletions where workspace_id = $1)";
  }
  if (!columns.includes("organization_key")) return "true";
  const isOfOther = "organization_key not in (select organization_key from organizations where workspace_id = $1)";
  const isOfMissing = "organization_key not in (select organization_key from organizations)";
  // A removal of permissions in an organization that does not exist, or not anymore, is written for tokens that name it
  // and for their streams.
  if (name === "removed_token_grants") return `${isOfOther} and not (resource_type = 'all' and ${isOfMissing})`;
  if (name === "events" || name === "event_positions") return `${isOfOther} and not ${isOfMissing}`;
  return isOfOther;
}
