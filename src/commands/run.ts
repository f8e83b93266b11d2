import { CommanderError } from "commander";
import { loadEnvironmentFile } from "../config/environment.ts";
import { type Unavailability, unavailabilityOf } from "../database/failures.ts";
import { createProgram } from "./program.ts";

export const EXIT_CODES = { success: 0, failure: 1, wrongUsage: 2 };

const UNAVAILABLE: Record<Unavailability, string> = {
  database_unavailable: "The database cannot be reached",
  database_read_only: "The database is read-only",
  storage_full: "The storage of the database is full",
  overloaded: "The database is overloaded",
};

/** Runs a command, by default that of the command line, and returns the exit code. Never throws. */
export async function run(args = process.argv.slice(2)): Promise<number> {
  try {
    loadEnvironmentFile();
    await createProgram().parseAsync(args, { from: "user" });
    return EXIT_CODES.success;
  } catch (error) {
    // Commander has printed the message.
    if (error instanceof CommanderError) return exitCodeOf(error);
    process.stderr.write(`colloquy: ${describeFailure(error)}\n`);
    return EXIT_CODES.failure;
  }
}

/** Returns the exit code after help or wrong usage. */
export function exitCodeOf({ exitCode }: CommanderError): number {
  return exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.wrongUsage;
}

/** Returns one sentence; for a bug in the program, the stack. */
function describeFailure(error: unknown): string {
  const unavailability = unavailabilityOf(error);
  if (unavailability) return `${UNAVAILABLE[unavailability]}: ${messageOf(error)}`;
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
  return isBug && error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
