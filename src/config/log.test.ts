import { execFile, execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../test/harness.ts";
import { runSql } from "../../test/run-sql.ts";
import { droppedLogLines } from "./line-writer.ts";
import { createLogger } from "./log.ts";

const run = promisify(execFile);
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

function getError(statement: string, values: unknown[]): Promise<unknown> {
  return runSql(database, statement, values).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("a failed statement is logged with its code and constraint, without the row", async () => {
  await runSql(database, INSERT, [KEY, "a secret document"]);
  const text = logged(await getError(INSERT, [KEY, "a secret document"]));
  // Citus does not say which constraint of its shard was violated.
  const named = inject("serverUrls").length > 1 ? {} : { constraint: "documents_pkey" };
  expect(JSON.parse(text).err).toMatchObject({ type: "DatabaseError", code: "23505", ...named });
  expect(text).not.toContain("secret");
});

test("the log contains no value that PostgreSQL cannot read, not even in the cause of an error", async () => {
  const error = await getError(INSERT, ["a secret", "document"]);
  const text = logged(new AggregateError([error], "all failed", { cause: error }));
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

test("lines wait for a reader that has stopped without a delay, and those past 4 MiB are dropped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => [reader, writer].forEach(closeSync));
  const log = createLogger("info", { fd: writer });
  const before = droppedLogLines();
  const filler = "x".repeat(1_000);
  let written = 0;
  const begun = performance.now();
  while (droppedLogLines() - before < 100) log.info({ number: written++ }, filler);
  // Waiting 1 ms for the reader with each line would take 4 s.
  expect(performance.now() - begun).toBeLessThan(2_500);
  const kept = written - 100;
  const { stdout } = await run("head", ["-n", String(kept), path], { maxBuffer: 2 ** 24 });
  const numbers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).number);
  expect(numbers).toEqual(Array.from({ length: kept }, (_, number) => number));
  log.info("again");
  expect(JSON.parse(readAll(reader))).toMatchObject({ msg: "again" });
});

test("a process that ends writes the lines that wait for the reader", async () => {
  const module = JSON.stringify(import.meta.resolve("./log.ts"));
  const script = `import { createLogger } from ${module};
    const log = createLogger("info");
    for (let number = 0; number < 3000; number++) log.info({ number }, "x".repeat(500));
    process.exit();`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { maxBuffer: 2 ** 24 });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3000);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ number: 2999 });
});
