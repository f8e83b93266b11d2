import { CommanderError } from "commander";
import { loadEnvironmentFile } from "../config/config.ts";
import { isDatabaseUnavailable } from "../database/failures.ts";
import { createProgram } from "./program.ts";

export const EXIT_CODES = { fine: 0, failed: 1, wrongUsage: 2 };

/** Runs what the command line asks for; returns the exit code. Never throws. */
export async function run(): Promise<number> {
  try {
    loadEnvironmentFile();
    await createProgram().parseAsync();
    return EXIT_CODES.fine;
  } catch (error) {
    // Commander has printed it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.fine : EXIT_CODES.wrongUsage;
    process.stderr.write(`colloquy: ${describeFailure(error)}\n`);
    return EXIT_CODES.failed;
  }
}

/** One sentence; a fault of the program itself brings its stack, for the one who will repair it. */
function describeFailure(error: unknown): string {
  if (isDatabaseUnavailable(error)) return `The database cannot be reached: ${messageOf(error)}`;
  const isFault = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
  return isFault && error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
