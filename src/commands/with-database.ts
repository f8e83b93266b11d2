import type { Logger } from "pino";
import { type Config, readConfig } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

/** Help of a command that uses `withMigratedDatabase`. */
export const MIGRATES_FIRST = "\nApplies missing migrations first, as `colloquy migrate` does.";

/** Runs `work` on the configured database, after migrating it. */
export async function withMigratedDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withDatabase(async (database, log) => {
    await migrate(database.connectionConfig, { log });
    return work(database);
  });
}

/** Runs `work` on the configured database, whether or not a service is running. */
export async function withDatabase<Result>(
  work: (database: Database, log: Logger) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const log = commandLogger(config);
  const { database, close } = await connectDatabase(config, log, "command");
  try {
    return await work(database, log);
  } finally {
    await close();
  }
}

/** Logs problems to stderr. Stdout is for the result. */
function commandLogger(config: Config): Logger {
  return createLogger(config.logLevel === "info" ? "warn" : config.logLevel, process.stderr);
}
