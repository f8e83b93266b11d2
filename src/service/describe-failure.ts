import { describeFileFailure } from "../config/file-failure.ts";
import { type Unavailability, unavailabilityOf } from "../database/failures.ts";

const UNAVAILABLE: Record<Unavailability, string> = {
  database_unavailable: "The database cannot be reached",
  database_read_only: "The database is read-only",
  storage_full: "The storage of the database is full",
  overloaded: "The database is overloaded",
};

/** Returns one sentence; for a bug in the program, the stack. */
export function describeFailure(error: unknown): string {
  const unavailability = unavailabilityOf(error);
  if (unavailability) return `${UNAVAILABLE[unavailability]}: ${messageOf(error)}`;
  const fileFailure = describeFileFailure(error);
  if (fileFailure) return fileFailure;
  const isBug = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
  return isBug && error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
