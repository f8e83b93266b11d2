#!/usr/bin/env node
import { CommanderError } from "commander";
import { createProgram } from "./commands/program.ts";
import { loadEnvironmentFile } from "./config.ts";
import { isDatabaseUnavailable } from "./database/failures.ts";

const EXIT_CODES = { fine: 0, failed: 1, wrongUsage: 2 };
/** More than a result takes to be written; what is still open then would keep the process for ever. */
const EXIT_GRACE_MS = 1_000;

async function run(): Promise<number> {
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

process.exitCode = await run();
if (process.exitCode !== EXIT_CODES.fine) process.exit();
setTimeout(() => process.exit(), EXIT_GRACE_MS).unref();
