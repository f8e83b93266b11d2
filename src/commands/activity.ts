import type { Command } from "commander";
import { chooseWorkspace, setActivityService } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, WORKSPACE_HELP, WORKSPACE_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

export function addActivityCommand(program: Command): void {
  const activity = program
    .command("activity")
    .summary("enable and disable the activity service")
    .description(
      "Enables or disables the activity service of a workspace. Every process applies the change within a second.",
    );
  addToggle(activity, {
    name: "enable",
    enabled: true,
    summary: "allow a workspace to add activities",
    description: "Allows a workspace to add activities.",
  });
  addToggle(activity, {
    name: "disable",
    enabled: false,
    summary: "reject new activities of a workspace",
    description: "Rejects new activities. Reading, updating and deleting activities still work.",
  });
}

function addToggle(
  activity: Command,
  options: { name: string; enabled: boolean; summary: string; description: string },
): void {
  const { name, enabled, summary, description } = options;
  activity
    .command(name)
    .summary(summary)
    .description(description)
    .option(WORKSPACE_OPTION, WORKSPACE_HELP)
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText("after", `\nExample:\n  $ colloquy activity ${name}`)
    .action(async (options: { workspace?: string; json?: true }) => {
      const workspace = await withMigratedDatabase(async (database) => {
        const chosen = await chooseWorkspace(database, options.workspace);
        await setActivityService(database, chosen.id, enabled);
        return chosen;
      });
      if (options.json) printJson({ workspaceId: workspace.id, activityServiceEnabled: enabled });
      else print(`The activity service of workspace ${workspace.name} is ${enabled ? "enabled" : "disabled"}.`);
    });
}
