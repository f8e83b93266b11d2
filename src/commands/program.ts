import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };

/** Returns the functions that add the commands, by their names, in the order of the help. */
const COMMANDS: Record<string, () => Promise<(program: Command) => void>> = {
  start: async () => (await import("./start.ts")).addStartCommand,
  migrate: async () => (await import("./migrate.ts")).addMigrateCommand,
  workspace: async () => (await import("./workspace.ts")).addWorkspaceCommand,
  token: async () => (await import("./token.ts")).addTokenCommand,
  activity: async () => (await import("./activity.ts")).addActivityCommand,
  notification: async () => (await import("./notification.ts")).addNotificationCommand,
  import: async () => (await import("./import/import.ts")).addImportCommand,
  receipt: async () => (await import("./receipt.ts")).addReceiptCommand,
  backup: async () => (await import("./backup.ts")).addBackupCommand,
  restore: async () => (await import("./restore.ts")).addRestoreCommand,
  files: async () => (await import("./files.ts")).addFilesCommand,
  "rotate-secrets": async () => (await import("./rotate-secrets.ts")).addRotateSecretsCommand,
  console: async () => (await import("./console.ts")).addConsoleCommand,
  env: async () => (await import("./env.ts")).addEnvCommand,
  doctor: async () => (await import("./doctor.ts")).addDoctorCommand,
};

/**
 * Returns the program with the command that `name` names, or else with all. Loading all of them would add 0.4 s and 50
 * MB to the primary process of a service. Wrong usage prints a message and throws a CommanderError.
 */
export async function createProgram(name = ""): Promise<Command> {
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
        "Exit codes: 0 success, 1 error, 2 wrong usage.",
    );
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of named ? [named] : Object.values(COMMANDS)) (await load())(program);
  return program;
}
