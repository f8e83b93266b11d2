import pg from "pg";
import { expect, test } from "vitest";
import { getRejection, isDatabaseUnavailable, isRolledBack } from "./database-errors.ts";

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

test.each([
  ["28P01", "password authentication failed", "The database rejects the credentials of DATABASE_URL"],
  ["28000", "role is not permitted to log in", "The database rejects the credentials of DATABASE_URL"],
  ["3D000", "database does not exist", "The database of DATABASE_URL does not exist"],
  ["42501", "permission denied for table activities", "The user of DATABASE_URL lacks a privilege"],
  ["XX001", "invalid page in block 0", "PostgreSQL reports damaged data"],
  ["53300", "sorry, too many clients already", undefined],
  ["57P03", "the database system is starting up", undefined],
])(
  "the error %s makes the database unavailable, and says what an operator must mend: %s",
  (code, message, rejection) => {
    const error = databaseError(code, message);
    expect([isDatabaseUnavailable(error), getRejection(error)]).toEqual([true, rejection]);
  },
);
