import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { createLogger } from "./log.ts";

const { database } = await createTestDatabase();
const INSERT = "insert into documents (organization_key, document_id) values ($1, $2)";
const KEY = "00000000000000000000000000000001";

/** Returns the text that the log has after this error. */
function logged(err: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const fd = openSync(path, "w");
  createLogger("info", { fd }).error({ err }, "failed");
  closeSync(fd);
  return readFileSync(path, "utf8");
}

function failureOf(statement: string, values: unknown[]): Promise<unknown> {
  return runSql(database, statement, values).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("a failed statement is logged with its code and constraint, without the row", async () => {
  await runSql(database, INSERT, [KEY, "a secret document"]);
  const text = logged(await failureOf(INSERT, [KEY, "a secret document"]));
  expect(JSON.parse(text).err).toMatchObject({ type: "DatabaseError", code: "23505", constraint: "documents_pkey" });
  expect(text).not.toContain("secret");
});

test("the log contains no value that PostgreSQL cannot read, not even in the cause of an error", async () => {
  const failure = await failureOf(INSERT, ["a secret", "document"]);
  const text = logged(new AggregateError([failure], "all failed", { cause: failure }));
  expect(text).toContain("invalid input syntax for type uuid");
  expect(text).not.toContain("secret");
});

test("an error that is its own cause is logged", () => {
  const error = new Error("circular");
  error.cause = error;
  expect(logged(error)).toContain("circular");
});
