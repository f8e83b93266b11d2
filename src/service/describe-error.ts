import { describeFileError } from "../config/file-error.ts";
import { getRejection, getUnavailability, type Unavailability } from "../database/database-errors.ts";

const UNAVAILABLE: Record<Unavailability, string> = {
  database_unavailable: "The database cannot be reached",
  database_read_only: "The database is read-only",
  storage_full: "The storage of the database is full",
  overloaded: "The database is overloaded",
};

/** Returns one sentence; for a bug in the program, the stack. */
export function describeError(error: unknown): string {
  const unavailability = getUnavailability(error);
  if (unavailability) return `${getRejection(error) ?? UNAVAILABLE[unavailability]}: ${getMessage(error)}`;
  const fileError = describeFileError(error);
  if (fileError) return fileError;
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
  return isBug && error instanceof Error ? (error.stack ?? error.message) : getMessage(error);
}

function getMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(getMessage).join(", ");
  return error instanceof Error ? error.message : String(error);
}
