import type { Logger } from "pino";
import { type Config, readConfig } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

/** Runs `work` on the database of the environment, migrated, beside a running service or without one. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withUnmigratedDatabase(async (database) => {
    await migrate(database.connection);
    return work(database);
  });
}

export async function withUnmigratedDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const config = readConfig();
  const { database, close } = await connectDatabase(config, commandLogger(config), "command");
  try {
    return await work(database);
  } finally {
    await close();
  }
}

/** Stdout belongs to the result, and news that all is well is none of a command's. */
function commandLogger(config: Config): Logger {
  return createLogger(config.logLevel === "info" ? "warn" : config.logLevel, process.stderr);
}
