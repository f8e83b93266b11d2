import { CommanderError } from "commander";
import { loadEnvironmentFile } from "../config/environment.ts";
import { describeError } from "../service/describe-error.ts";
import { assertOutputWritten, handleOutputErrors } from "./output.ts";
import { createProgram } from "./program.ts";

export const EXIT_CODES = { success: 0, error: 1, wrongUsage: 2 };

/** Runs a command, by default that of the command line, and returns the exit code. Never throws. */
export async function run(args = process.argv.slice(2)): Promise<number> {
  handleOutputErrors();
  try {
    loadEnvironmentFile();
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: "user" });
    await assertOutputWritten();
    return EXIT_CODES.success;
  } catch (error) {
    // Commander has printed the message.
    if (error instanceof CommanderError) return getExitCode(error);
    process.stderr.write(`colloquy: ${describeError(error)}\n`);
    return EXIT_CODES.error;
  }
}

/** Returns the exit code after help or wrong usage. */
export function getExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.wrongUsage;
}
