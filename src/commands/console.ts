import type { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { createOperatorLink } from "../features/sign-in/login-link.ts";
import { chooseWorkspace } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, WORKSPACE_OPTION } from "./arguments.ts";
import { formatTime, print, printJson } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

export function addConsoleCommand(program: Command): void {
  program
    .command("console")
    .summary("print a login link for the console")
    .description(
      "Prints a link that signs a browser in to the console as the operator, with access to every workspace. The " +
        "link works once, within 15 minutes, for anyone who has it. Its address is PUBLIC_URL or else HOST and PORT.",
    )
    .option(WORKSPACE_OPTION, "workspace that the console opens; default: the oldest")
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy console")
    .action(async (options: { workspace?: string; json?: true }) => {
      const { publicUrl } = readConfig();
      const link = await withMigratedDatabase(async (database) => {
        const { workspace } = options;
        const id = workspace === undefined ? undefined : (await chooseWorkspace(database, workspace)).id;
        return createOperatorLink(database, publicUrl, id);
      });
      if (options.json) return printJson(link);
      print(link.url);
      print(`The link works once, until ${formatTime(link.expiresAt, "-")}.`);
    });
}
