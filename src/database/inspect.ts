import type { Database } from "./database.ts";
import { readSchemaState, type SchemaState } from "./migration-files.ts";
import { type Requirements, selectRequirements } from "./requirements.ts";
import { sql, unprepared } from "./sql.ts";
import type { Queryable } from "./statement.ts";
import { milliseconds } from "./time.ts";

export interface DatabaseFacts {
  version: string;
  requirements: Requirements;
  /** Values of PostgreSQL's settings of the same names. */
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  synchronousStandbyNames: string;
  /** Milliseconds by which the database's clock is ahead of this machine's, within half a round trip. */
  clockAheadMs: number;
  /** The worker nodes of its cluster, and whether its coordinator reaches them; none without Citus. */
  workerNodes: { address: string; isReachable: boolean }[];
  /** Undefined if no migration has ever been applied. */
  schema: SchemaState | undefined;
}

/** Reads the facts about a database that `doctor` checks. */
export async function inspectDatabase(
  database: Pick<Database, "run" | "transaction" | "isDistributed">,
): Promise<DatabaseFacts> {
  const [facts] = await database.run(
    sql<Omit<DatabaseFacts, "requirements" | "clockAheadMs" | "workerNodes" | "schema">>`select
      current_setting('server_version') as version,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbyNames"`,
  );
  if (!facts) throw new Error("PostgreSQL returned no settings");
  return {
    ...facts,
    requirements: await selectRequirements(database),
    clockAheadMs: await compareClocks(database),
    workerNodes: database.isDistributed ? await database.transaction(selectWorkerNodes) : [],
    schema: await readSchema(database),
  };
}

async function selectWorkerNodes(transaction: Queryable): Promise<DatabaseFacts["workerNodes"]> {
  // The limit of a statement is as long as that of Citus, 30 s.
  await transaction.run(unprepared(sql`set local citus.node_connection_timeout = '5s'`));
  return transaction.run(
    sql<DatabaseFacts["workerNodes"][number]>`select nodename || ':' || nodeport as address,
        citus_check_connection_to_node(nodename, nodeport) as "isReachable"
      from pg_dist_node where isactive and groupid <> 0 and noderole = 'primary' order by nodeid`,
  );
}

async function compareClocks(database: Queryable): Promise<number> {
  const before = Date.now();
  const [row] = await database.run(sql<{ now: number }>`select ${milliseconds(sql`clock_timestamp()`)} as now`);
  const after = Date.now();
  return Math.round((row?.now ?? after) - (before + after) / 2);
}

async function readSchema(database: Queryable): Promise<SchemaState | undefined> {
  const [row] = await database.run(sql<{ exists: boolean }>`select to_regclass('migrations') is not null as exists`);
  return row?.exists ? readSchemaState(database) : undefined;
}
