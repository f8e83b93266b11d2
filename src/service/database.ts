import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { isFirstStart, migrate } from "../database/migrate.ts";
import type { StartContext } from "./start-context.ts";

/** Connects to the database, starts the embedded one if needed, and migrates it. */
export async function openMigratedDatabase({ config, log, signal, resources }: StartContext): Promise<Database> {
  const { database, close } = await connectDatabase(config, log, "service", signal);
  resources.defer(close);
  const applied = await migrate(database.connectionConfig);
  if (applied.length > 0 && !isFirstStart(applied)) log.info({ migrations: applied }, "upgraded the database");
  return database;
}
