import type { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { createOperatorLink } from "../features/sign-in/login-link.ts";
import { chooseWorkspace } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, WORKSPACE_OPTION } from "./arguments.ts";
import { formatTime, print, printJson } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addConsoleCommand(program: Command): void {
  program
    .command("console")
    .summary("print a link that signs in to the console")
    .description(
      "Prints a link that signs a browser in to the console, as the one who runs the service: it reaches every " +
        "workspace. The link works once, for 15 minutes; whoever has it can use it. Its address is PUBLIC_URL, or " +
        "else made of HOST and PORT.",
    )
    .option(WORKSPACE_OPTION, "where the console opens; the oldest workspace when left out")
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy console")
    .action(async (options: { workspace?: string; json?: true }) => {
      const { publicUrl } = readConfig();
      const link = await withDatabase(async (database) => {
        const { workspace } = options;
        const id = workspace === undefined ? undefined : (await chooseWorkspace(database, workspace)).id;
        return createOperatorLink(database, publicUrl, id);
      });
      if (options.json) return printJson(link);
      print(link.url);
      print(`It works once, until ${formatTime(link.expiresAt, "-")}.`);
    });
}
