import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigurationError } from "./configuration-error.ts";

/** Adds the variables of the file `.env` in the working directory, if any. Variables that are set already win. */
export function loadEnvironmentFile(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile(".env");
  } catch {
    throw new ConfigurationError(
      `${resolve(".env")} must be a readable file. Correct its type and mode, or remove it.`,
    );
  }
}

/** Returns the name of the npm script that runs this process, if any. */
export function npmScriptName(): string | undefined {
  return process.env.npm_lifecycle_event;
}

/** Returns the environment, with these values for variables that it lacks. */
export function environmentWith(defaults: Record<string, string>): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env };
}
