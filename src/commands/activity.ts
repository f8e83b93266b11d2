import type { Command } from "commander";
import { chooseWorkspace, setActivityService } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, WORKSPACE_OPTION } from "./arguments.ts";
import { print, printJson } from "./output.ts";
import { withDatabase } from "./with-database.ts";

export function addActivityCommand(program: Command): void {
  const activity = program
    .command("activity")
    .summary("turn the activity service on or off")
    .description("KeyedMutex the activity service of a workspace on or off, at once for every running server.");
  addSwitch(activity, {
    name: "enable",
    enabled: true,
    summary: "let the workspace add activities",
    description: "Lets the workspace add activities.",
  });
  addSwitch(activity, {
    name: "disable",
    enabled: false,
    summary: "refuse new activities",
    description: "Refuses new activities; reading, updating and deleting go on.",
  });
}

function addSwitch(
  activity: Command,
  switched: { name: string; enabled: boolean; summary: string; description: string },
) {
  const { name, enabled, summary, description } = switched;
  activity
    .command(name)
    .summary(summary)
    .description(description)
    .option(WORKSPACE_OPTION, "which one; may be left out where there is one only")
    .option(...JSON_OPTION)
    .addHelpText("after", `\nExample:\n  $ colloquy activity ${name}`)
    .action(async (options: { workspace?: string; json?: true }) => {
      const workspace = await withDatabase(async (database) => {
        const chosen = await chooseWorkspace(database, options.workspace);
        await setActivityService(database, chosen.id, enabled);
        return chosen;
      });
      if (options.json) printJson({ workspaceId: workspace.id, activityServiceEnabled: enabled });
      else print(`The activity service of workspace ${workspace.name} is ${enabled ? "enabled" : "off"}.`);
    });
}
