import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { droppedLogLines } from "./line-writer.ts";
import { createLogger } from "./log.ts";

const { database } = await createTestDatabase();
const INSERT = "insert into documents (organization_key, document_id) values ($1, $2)";
const KEY = "00000000000000000000000000000001";

/** Returns the text that the log has after this error. */
function logged(err: unknown, stream: { isTTY?: boolean } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const fd = openSync(path, "w");
  createLogger("info", { ...stream, fd }).error({ err }, "failed");
  closeSync(fd);
  return readFileSync(path, "utf8");
}

/** Returns what a pipe holds. */
function readAll(fd: number): string {
  const bytes = Buffer.alloc(2 ** 20);
  return bytes.toString("utf8", 0, readSync(fd, bytes));
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

test("the log on a terminal is readable text with the error's stack", () => {
  const text = logged(new Error("broken"), { isTTY: true });
  expect(text).toMatch(/ERROR.*failed[\s\S]*Error: broken\n\s+at /);
  expect(text).not.toMatch(/^\{/);
});

/** A file on which every write fails as on a full disk. */
const FULL_DISK = "/dev/full";

test.skipIf(!existsSync(FULL_DISK)).each([false, true])(
  "a line that cannot be written is dropped and counted (on a terminal: %s)",
  (isTTY) => {
    const fd = openSync(FULL_DISK, "w");
    onTestFinished(() => closeSync(fd));
    const log = createLogger("info", { fd, isTTY });
    const before = droppedLogLines();
    log.info("one");
    log.error({ err: new Error("two") }, "two");
    expect(droppedLogLines() - before).toBe(2);
  },
);

test("a log whose file descriptor is closed fails nothing", () => {
  const fd = openSync("/dev/null", "w");
  const log = createLogger("info", { fd });
  closeSync(fd);
  const before = droppedLogLines();
  log.info("lost");
  expect(droppedLogLines() - before).toBe(1);
});

test("a log whose reader has stopped drops lines instead of stopping the service, and goes on with the reader", () => {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => [reader, writer].forEach(closeSync));
  const log = createLogger("info", { fd: writer });
  const before = droppedLogLines();
  const line = "x".repeat(1_000);
  const begun = performance.now();
  while (droppedLogLines() - before < 100) log.info(line);
  // Waiting for the reader with each line would take 10 s.
  expect(performance.now() - begun).toBeLessThan(5_000);
  const written = readAll(reader);
  expect(written.length).toBeGreaterThan(10_000);
  log.info("again");
  const lines = readAll(reader).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ msg: "again" });
});
