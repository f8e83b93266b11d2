import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Environment, emptyFolder, startProcess } from "../../test/command-line.ts";
import { createTestDatabase } from "../../test/harness.ts";

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));

/** Runs a command whose stdout is a pipe that nobody reads. */
async function runIntoClosedPipe(args: string[], environment: Environment) {
  const child = startProcess(args, environment, await emptyFolder());
  child.stdout.destroy();
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { stderr, exitCode };
}

test("a process that waits for its output has written all of it, however late it is read", async () => {
  const url = new URL("./output.ts", import.meta.url).href;
  const script = `
    const { assertOutputWritten } = await import(${JSON.stringify(url)});
    process.stdout.write("x".repeat(200_000));
    process.stderr.write("written");
    await assertOutputWritten();
    process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  await once(child.stderr, "data");
  expect(await text(child.stdout)).toHaveLength(200_000);
});

test("a command whose reader closes the pipe succeeds quietly", async () => {
  const environment = { DATA_DIR: await emptyFolder() };
  for (const args of [["--help"], ["doctor"]]) {
    expect(await runIntoClosedPipe(args, environment)).toEqual({ stderr: "", exitCode: 0 });
  }
});

test("a backup into a closed pipe fails and does not blame the database", async () => {
  const { connectionString: DATABASE_URL } = await createTestDatabase();
  const environment = { DATABASE_URL, SECRET_KEY: "5".repeat(64), DATA_DIR: await emptyFolder() };
  expect(await runIntoClosedPipe(["backup", "-"], environment)).toEqual({
    stderr:
      "colloquy: The backup is incomplete, because standard output cannot be written: " +
      "its reader has closed the pipe.\n",
    exitCode: 1,
  });
});

test.skipIf(process.platform !== "linux")(
  "a command whose output cannot be written fails with one sentence",
  async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: await emptyFolder() };
    const command = `"${process.execPath}" "${MAIN}" doctor > /dev/full`;
    const failed: unknown = await promisify(execFile)("sh", ["-c", command], { cwd: await emptyFolder(), env }).catch(
      (error) => error,
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^colloquy: Standard output cannot be written: ENOSPC[^\n]+\.\n$/),
    });
  },
);
