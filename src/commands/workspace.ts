import type { Command } from "commander";
import { listWorkspaces } from "../features/workspaces/queries.ts";
import { createWorkspace } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, parseEmail, parseName } from "./arguments.ts";
import { formatTime, print, printJson, printTable } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addWorkspaceCommand(program: Command): void {
  const workspace = program
    .command("workspace")
    .summary("create and list workspaces")
    .description("Creates and lists workspaces, each with data of its own.");
  addCreate(workspace);
  addList(workspace);
}

function addCreate(workspace: Command): void {
  workspace
    .command("create")
    .summary("make a workspace with a first auth token")
    .description(
      "Makes a workspace and prints its API key and a first auth token. The token is not shown again. The activity " +
        "service is off until `colloquy activity enable`.",
    )
    .requiredOption("-n, --name <name>", "what people call it", parseName)
    .option(
      "-o, --owner-email <address>",
      "e-mail address of who owns it, and signs in to the console by it",
      parseEmail,
    )
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy workspace create --name Acme --owner-email ada@acme.example")
    .action(async (options: { name: string; ownerEmail?: string; json?: true }) => {
      const { name, ownerEmail } = options;
      const made = await withDatabase((database) => createWorkspace(database, { name, ownerEmail }));
      if (options.json) return printJson(made);
      print(`Workspace   ${made.workspaceId}`);
      print(`API key     ${made.apiKey}`);
      print(`Auth token  ${made.authToken}`);
      print("Keep the token: it is not shown again.");
    });
}

function addList(workspace: Command): void {
  workspace
    .command("list")
    .summary("list the workspaces")
    .description("Lists the workspaces, the oldest first.")
    .option(...JSON_OPTION)
    .addHelpText("after", "\nExample:\n  $ colloquy workspace list")
    .action(async (options: { json?: true }) => {
      const workspaces = await withDatabase(listWorkspaces);
      if (options.json) return printJson(workspaces);
      printTable(
        ["id", "name", "API key", "activity service", "owner", "created"],
        workspaces.map(({ id, name, apiKey, activityServiceEnabled, ownerEmail, createdAt }) => [
          ...[id, name, apiKey, activityServiceEnabled ? "enabled" : "off"],
          ...[ownerEmail ?? "-", formatTime(createdAt, "-")],
        ]),
      );
    });
}
