import type { Command } from "commander";
import { migrate } from "../database/migrate.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import { JSON_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .summary("upgrade the database to this version's schema")
    .description(
      "Applies the migrations of this version that the database lacks, and distributes its tables if it is a Citus " +
        "cluster, as `colloquy start` does too. Safe while a service of the previous version runs. Can be repeated.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://colloquy@db/colloquy colloquy migrate")
    .action(async (options: { json?: true }) => {
      const migrated = await withDatabase(async (database, log) => {
        const done = await migrate(database.connectionConfig, { log });
        await migrateJobs(database);
        return done;
      });
      const { applied, distributed } = migrated;
      if (options.json) return printJson(migrated);
      if (applied.length > 0) print(`Applied: ${applied.join(", ")}`);
      if (distributed.length > 0) print(`Distributed over the Citus cluster: ${distributed.join(", ")}`);
      if (applied.length + distributed.length === 0) print("The database is up to date.");
    });
}
