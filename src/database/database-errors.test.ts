import pg from "pg";
import { expect, test } from "vitest";
import { isDatabaseUnavailable, isRolledBack } from "./database-errors.ts";

function databaseError(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, "error"), { code });
}

test.each([
  "could not commit transaction for shard 102025 on at least one active node",
  "failure on connection marked as essential: worker-1:5432",
])("after an error of Citus about a lost node, the statement may have been committed: %s", (message) => {
  const error = databaseError("XX000", message);
  expect([isDatabaseUnavailable(error), isRolledBack(error)]).toEqual([true, false]);
});

test.each([
  ["23505", "duplicate key value violates unique constraint", false],
  ["XX000", "cache lookup failed", false],
  ["40P01", "deadlock detected", true],
])("PostgreSQL has rolled back after the error %s", (code, message, isUnavailable) => {
  const error = databaseError(code, message);
  expect([isDatabaseUnavailable(error), isRolledBack(error)]).toEqual([isUnavailable, true]);
});
