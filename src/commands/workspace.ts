import type { Command } from "commander";
import { listWorkspaces } from "../features/workspaces/workspace-queries.ts";
import { createWorkspace } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, parseEmail, parseName } from "./arguments.ts";
import { formatTime, print, printJson, printTable } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

export function addWorkspaceCommand(program: Command): void {
  const workspace = program
    .command("workspace")
    .summary("create and list workspaces")
    .description("Creates and lists workspaces. Each has its own data.");
  addCreate(workspace);
  addList(workspace);
}

function addCreate(workspace: Command): void {
  workspace
    .command("create")
    .summary("create a workspace with a first auth token")
    .description(
      "Creates a workspace and prints its API key and a first auth token. The token is not shown again. The activity " +
        "service is enabled; `colloquy activity disable` disables it.",
    )
    .requiredOption("-n, --name <name>", "name of the workspace", parseName)
    .option("-o, --owner-email <address>", "email address of the owner, who can sign in to the console", parseEmail)
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy workspace create --name Acme --owner-email ada@acme.example")
    .action(async (options: { name: string; ownerEmail?: string; json?: true }) => {
      const { name, ownerEmail } = options;
      const workspace = { name, ownerEmail, activityServiceEnabled: true };
      const created = await withMigratedDatabase((database) => createWorkspace(database, workspace));
      if (options.json) return printJson(created);
      print(`Workspace   ${created.workspaceId}`);
      print(`API key     ${created.apiKey}`);
      print(`Auth token  ${created.authToken}`);
      print("Save the token now. It is not shown again.");
    });
}

function addList(workspace: Command): void {
  workspace
    .command("list")
    .summary("list the workspaces")
    .description("Lists the workspaces, oldest first.")
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", "\nExample:\n  $ colloquy workspace list")
    .action(async (options: { json?: true }) => {
      const workspaces = await withMigratedDatabase(listWorkspaces);
      if (options.json) return printJson(workspaces);
      printTable(
        ["id", "name", "API key", "activity service", "owner", "created"],
        workspaces.map(({ id, name, apiKey, activityServiceEnabled, ownerEmail, createdAt }) => [
          ...[id, name, apiKey, activityServiceEnabled ? "enabled" : "disabled"],
          ...[ownerEmail ?? "-", formatTime(createdAt, "-")],
        ]),
      );
    });
}
