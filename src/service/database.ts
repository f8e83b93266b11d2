import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { isFirstStart, migrate } from "../database/migrate.ts";
import { tracedDatabase } from "../database/traced-database.ts";
import type { StartContext } from "./start-context.ts";

/** Connects to the database, starts the embedded one if needed, and migrates it. */
export async function openMigratedDatabase(context: StartContext): Promise<Database> {
  const { config, log, signal, resources, telemetry } = context;
  const { database, close } = await connectDatabase(config, log, "service", signal);
  resources.defer(close);
  const migrated = await migrate(database.connectionConfig);
  const { applied, distributed } = migrated;
  if (applied.length > 0 && !isFirstStart(migrated)) log.info({ migrations: applied }, "upgraded the database");
  if (distributed.length > 0) log.info({ tables: distributed }, "distributed the database over the Citus cluster");
  return telemetry ? tracedDatabase(database, telemetry) : database;
}
