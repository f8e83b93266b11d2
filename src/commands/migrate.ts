import type { Command } from "commander";
import { migrate } from "../database/migrate.ts";
import { migrateJobs } from "../jobs/jobs.ts";
import { JSON_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";
import { withUnmigratedDatabase } from "./with-database.ts";

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .summary("upgrade the database to this version's schema")
    .description(
      "Applies the migrations of this version that the database lacks, as `colloquy start` does too. Safe while a " +
        "service of the previous version runs. Can be repeated.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ DATABASE_URL=postgres://colloquy@db/colloquy colloquy migrate")
    .action(async (options: { json?: true }) => {
      const applied = await withUnmigratedDatabase(async (database) => {
        const names = await migrate(database.connectionConfig);
        await migrateJobs(database);
        return names;
      });
      if (options.json) printJson({ applied });
      else print(applied.length > 0 ? `Applied: ${applied.join(", ")}` : "The database is up to date.");
    });
}
