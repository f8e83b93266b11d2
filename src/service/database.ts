import { type ConnectedDatabase, connectDatabase } from "../database/connect.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { findPrimary } from "../database/hosts.ts";
import { isFirstStart, migrate } from "../database/migrate.ts";
import { tracedDatabase } from "../database/traced-database.ts";
import { rejectOnAbort } from "./reject-on-abort.ts";
import type { StartContext } from "./start-context.ts";

/** Connects to the database, starts the embedded one if needed, and migrates it. */
export async function openMigratedDatabase(context: StartContext): Promise<Database> {
  const { log, resources, telemetry } = context;
  const { database, close } = await connect(context);
  resources.defer(close);
  const migrated = await migrate(database.connectionConfig, { log });
  const { applied, distributed } = migrated;
  if (applied.length > 0 && !isFirstStart(migrated)) log.info({ migrations: applied }, "upgraded the database");
  if (distributed.length > 0) log.info({ distributed }, "distributed the database over the Citus cluster");
  return telemetry ? tracedDatabase(database, telemetry) : database;
}

/** Connects to the database, which the primary of a worker has started. */
async function connect(context: StartContext): Promise<Pick<ConnectedDatabase, "database" | "close">> {
  const { config, log, signal, primary } = context;
  if (!primary) return connectDatabase(config, log, "service", signal);
  const access = await Promise.race([primary.databaseAccess, ...(signal ? [rejectOnAbort(signal)] : [])]);
  // The primary may have changed before this worker replaced another.
  const { connection } = await findPrimary(access.hosts ?? [access.connection], signal);
  const database = openDatabase({
    ...access,
    connection,
    poolMax: config.databasePoolMax,
    turnMs: config.limits.databaseTurnMs,
    log,
  });
  return { database, close: () => database.close() };
}
