import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addActivityCommand } from "./activity.ts";
import { addConsoleCommand } from "./console.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addStartCommand } from "./start.ts";
import { addTokenCommand } from "./token.ts";
import { addWorkspaceCommand } from "./workspace.ts";

/** Every command, not yet run. A usage fault throws a CommanderError that has been printed already. */
export function createProgram(): Command {
  const program = new Command("colloquy")
    .description("A self-hosted collaboration backend: one command runs it, these look after it.")
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError("(--help explains the command and gives an example)")
    .addHelpText("after", "\nExample:\n  $ colloquy start")
    .addHelpText(
      "afterAll",
      "\nEvery command takes the environment variables of the service, such as DATA_DIR\n" +
        "and DATABASE_URL, also from a file .env in the folder it is run in.\n" +
        "Exit codes: 0 fine, 1 failed, 2 wrong usage.",
    );
  addStartCommand(program);
  addMigrateCommand(program);
  addWorkspaceCommand(program);
  addTokenCommand(program);
  addActivityCommand(program);
  addConsoleCommand(program);
  addDoctorCommand(program);
  return program;
}
