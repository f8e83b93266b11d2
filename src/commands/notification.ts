import type { Command } from "commander";
import { explainNotification } from "../features/explanations/explain-notification.ts";
import { openOrganization } from "../features/tenancy/organization-scope.ts";
import { chooseWorkspace } from "../features/workspaces/workspaces.ts";
import { JSON_OPTION, WORKSPACE_OPTION } from "./arguments.ts";
import { printJson, printTable } from "./output.ts";
import { MIGRATES_FIRST, withMigratedDatabase } from "./with-database.ts";

interface ExplainOptions {
  organization: string;
  user: string;
  notification: string;
  workspace?: string;
  json?: true;
}

export function addNotificationCommand(program: Command): void {
  program
    .command("notification")
    .summary("explain why a user did not get a notification")
    .description("Explains notifications.")
    .command("explain")
    .summary("explain why a user did or did not get a notification")
    .description(
      "Prints, for inbox and email, the rule that decided whether a user got a notification. It judges by stored " +
        "data and current settings.",
    )
    .requiredOption("-o, --organization <id>", "organization ID")
    .requiredOption("-u, --user <id>", "user ID")
    .requiredOption("-n, --notification <id>", "notification ID")
    .option(WORKSPACE_OPTION, "may be omitted if there is only one workspace")
    .option(...JSON_OPTION)
    .addHelpText("after", MIGRATES_FIRST)
    .addHelpText(
      "after",
      "\nExample:\n  $ colloquy notification explain --organization acme --user grace \\\n      --notification n1",
    )
    .action(async ({ organization, user, notification, workspace, json }: ExplainOptions) => {
      const channels = await withMigratedDatabase(async (database) => {
        const scope = openOrganization(database, await chooseWorkspace(database, workspace), organization);
        return explainNotification(scope, { userId: user, notificationId: notification });
      });
      if (json) return printJson(channels);
      printTable(
        ["channel", "rule", "explanation"],
        Object.entries(channels).map(([channel, { rule, explanation }]) => [channel, rule, explanation]),
      );
    });
}
