import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addActivityCommand } from "./activity.ts";
import { addBackupCommand } from "./backup.ts";
import { addConsoleCommand } from "./console.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addEnvCommand } from "./env.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addNotificationCommand } from "./notification.ts";
import { addRestoreCommand } from "./restore.ts";
import { addRotateSecretsCommand } from "./rotate-secrets.ts";
import { addStartCommand } from "./start.ts";
import { addTokenCommand } from "./token.ts";
import { addWorkspaceCommand } from "./workspace.ts";

/** Returns the program with all commands. Wrong usage prints a message and throws a CommanderError. */
export function createProgram(): Command {
  const program = new Command("colloquy")
    .description("A self-hosted collaboration backend. `colloquy start` runs the service.")
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError("(--help explains the command and gives an example)")
    .addHelpText("after", "\nExample:\n  $ colloquy start")
    .addHelpText(
      "afterAll",
      "\nEvery command reads the environment variables of the service, such as DATA_DIR\n" +
        "and DATABASE_URL, and a file .env in the working directory.\n" +
        "Exit codes: 0 success, 1 failure, 2 wrong usage.",
    );
  addStartCommand(program);
  addMigrateCommand(program);
  addWorkspaceCommand(program);
  addTokenCommand(program);
  addActivityCommand(program);
  addNotificationCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addRotateSecretsCommand(program);
  addConsoleCommand(program);
  addEnvCommand(program);
  addDoctorCommand(program);
  return program;
}
