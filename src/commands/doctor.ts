import type { Command } from "commander";
import { JSON_OPTION } from "./arguments.ts";
import type { Check } from "./check.ts";
import { runChecks } from "./doctor-checks.ts";
import { print, printJson } from "./output.ts";

const LABELS: Record<Check["status"], string> = { ok: "ok", skipped: "-", warning: "WARNING", error: "ERROR" };

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .summary("check the installation and say what to correct")
    .description(
      "Checks configuration, disk, database, migrations, clock, files and mail, and says how to correct each error. " +
        "Exits with 1 if there is an error, but not for a warning. Changes nothing, but writes an empty file to the " +
        "store of files and deletes it. Can run while the service runs.",
    )
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy doctor")
    .action(async (options: { json?: true }) => {
      const checks = await runChecks();
      const errors = checks.filter((check) => check.status === "error").length;
      if (options.json) printJson({ healthy: errors === 0, checks });
      else for (const check of checks) printCheck(check);
      if (errors > 0) throw new Error(errors === 1 ? "Found 1 error." : `Found ${errors} errors.`);
    });
}

function printCheck({ name, status, finding, remedy }: Check): void {
  print(`${LABELS[status].padEnd(8)} ${name.padEnd(14)} ${finding}`);
  if (remedy) print(`${" ".repeat(24)}→ ${remedy}`);
}
