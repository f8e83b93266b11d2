/**
 * The tables without `organization_key`. Citus distributes every other table by that column.
 *
 * Reference tables are copied to every node, because statements join them with distributed tables:
 * - `user_data_deletions`: writes of all organizations look for a pending deletion of their user.
 * - `workspaces`: `user_data_deletions` references it, and a reference table can reference no local one.
 *
 * Local tables stay on the coordinator. No statement joins them with a distributed table, and each is read by its own
 * key:
 * - `allowed_domains`, `auth_tokens`, `email_configs`, `revoked_auth_tokens`, `webhook_configs`, `webhook_endpoints`:
 *   settings of a workspace.
 * - `login_attempts`, `login_links`, `sessions`: what users of the console do.
 * - `workspace_mails`: the log of mails that belong to no organization.
 * - `audit_entries`: administrative acts. They belong to a workspace, and many to no organization.
 * - `idempotency_keys`: responses to writes that callers may repeat.
 * - `request_log`: the latest requests to a workspace.
 * - `presence_processes`: the processes that have connections of users.
 * - `user_data_receipts`: a few rows for each deletion of a user's data.
 * - `user_token_revocations`: users whose tokens are rejected, which processes cache.
 * - `webhook_leases`: the process that sends to a webhook.
 * - `migrations`, `secret_key_fingerprints`: about the database as a whole.
 */
export const UNDISTRIBUTED_TABLES = {
  reference: ["user_data_deletions", "workspaces"],
  local: [
    "allowed_domains",
    "audit_entries",
    "auth_tokens",
    "email_configs",
    "idempotency_keys",
    "login_attempts",
    "login_links",
    "migrations",
    "presence_processes",
    "request_log",
    "revoked_auth_tokens",
    "secret_key_fingerprints",
    "sessions",
    "user_data_receipts",
    "user_token_revocations",
    "webhook_configs",
    "webhook_endpoints",
    "webhook_leases",
    "workspace_mails",
  ],
};

/**
 * Makes Citus change tables over one connection to each node for the rest of the transaction, which it requires for
 * tables that reference each other. PostgreSQL without Citus ignores the setting.
 */
export const ONE_CONNECTION_PER_NODE = "set local citus.multi_shard_modify_mode = 'sequential'";

/** The table with which all distributed tables share the placement of their shards. */
const COLOCATED_WITH = "organizations";

interface Undistributed {
  name: string;
  kind: "reference" | "table";
}

/** Runs a statement and returns its rows. */
type Execute = (text: string, values?: unknown[]) => Promise<Undistributed[]>;

const HAS_CITUS = "select 'citus' as name from pg_extension where extname = 'citus'";

/** Reference tables come first, those that others reference before them, and then the table of the colocation group. */
const UNDISTRIBUTED = `
  with wanted as (
    select name::regclass as id, name, 'reference' as kind from unnest($1::text[]) as name
    union all
    select pg_class.oid, relname, 'table'
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname = 'organization_key' and relkind = 'r' and relnamespace = 'public'::regnamespace
  )
  select name, kind from wanted
  where citus_is_coordinator() and exists (select from pg_dist_node where isactive and shouldhaveshards)
    and not exists (
      select from citus_tables where table_name = wanted.id and citus_table_type in ('reference', 'distributed'))
  order by kind = 'reference' desc, name = 'workspaces' desc, name = '${COLOCATED_WITH}' desc, name`;

/**
 * Returns the tables that are not distributed yet, if the database is the coordinator of a Citus cluster with an active
 * node for shards. Takes one statement without Citus.
 */
export async function findUndistributed(execute: Execute): Promise<Undistributed[]> {
  if ((await execute(HAS_CITUS)).length === 0) return [];
  return execute(UNDISTRIBUTED, [UNDISTRIBUTED_TABLES.reference]);
}

/**
 * Distributes the tables that are not distributed yet, with their rows, in the transaction of the caller, if the
 * database is a Citus cluster. Returns their names.
 */
export async function distribute(execute: Execute): Promise<string[]> {
  const undistributed = await findUndistributed(execute);
  if (undistributed.length === 0) return [];
  await execute(ONE_CONNECTION_PER_NODE);
  const names = undistributed.map(({ name }) => name);
  // Citus locks them one by one, for as long as it copies their rows: requests that write to several would deadlock.
  await execute(`lock table ${names.join(", ")} in access exclusive mode`);
  for (const table of undistributed) await distributeTable(execute, table);
  return names;
}

async function distributeTable(execute: Execute, { name, kind }: Undistributed): Promise<void> {
  if (kind === "reference") {
    await execute("select create_reference_table($1::regclass)", [name]);
    return;
  }
  const colocatedWith = name === COLOCATED_WITH ? "none" : COLOCATED_WITH;
  await execute("select create_distributed_table($1::regclass, 'organization_key', colocate_with => $2)", [
    name,
    colocatedWith,
  ]);
  // Otherwise the coordinator keeps a copy of the rows that no statement can see.
  await execute("select truncate_local_data_after_distributing_table($1::regclass)", [name]);
}
