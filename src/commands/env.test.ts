import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyFolder, runCommand } from "../../test/command-line.ts";

/** Returns the variables that a shell has after `eval "$(colloquy env)"`. */
async function evaluate(line: string) {
  const script = `eval "$1"; printf '%s\\n' "$API_KEY" "$AUTH_TOKEN" "$COLLOQUY_URL"`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script, "sh", line]);
  const [API_KEY, AUTH_TOKEN, COLLOQUY_URL] = stdout.split("\n");
  return { API_KEY, AUTH_TOKEN, COLLOQUY_URL };
}

test("env exports the saved credentials and the address of the service", async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, "credentials.json"), '{ "apiKey": "key-1", "authToken": "token-1" }');
  const { stdout, exitCode } = await runCommand(["env"], { DATA_DIR: folder, PORT: "8091" });
  expect(exitCode).toBe(0);
  expect(stdout).toBe("export API_KEY=key-1 AUTH_TOKEN=token-1 COLLOQUY_URL=http://127.0.0.1:8091\n");
  const variables = { API_KEY: "key-1", AUTH_TOKEN: "token-1", COLLOQUY_URL: "http://127.0.0.1:8091" };
  expect(await evaluate(stdout)).toEqual(variables);
});

test("env quotes the operator's credentials, with any characters in them", async () => {
  const credentials = { BOOTSTRAP_API_KEY: `it's"$HOME`, BOOTSTRAP_AUTH_TOKEN: "`exit`;&&\\''#*?~!(x)" };
  const { stdout } = await runCommand(["env"], { ...credentials, PUBLIC_URL: "https://colloquy.example/" });
  expect(await evaluate(stdout)).toEqual({
    API_KEY: credentials.BOOTSTRAP_API_KEY,
    AUTH_TOKEN: credentials.BOOTSTRAP_AUTH_TOKEN,
    COLLOQUY_URL: "https://colloquy.example",
  });
});

test("env says what to do if there are no credentials", async () => {
  const folder = await emptyFolder();
  const { stdout, stderr, exitCode } = await runCommand(["env"], { DATA_DIR: folder });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr).toBe(
    `colloquy: There are no credentials in ${join(folder, "credentials.json")}. Run \`colloquy start\` once, copy ` +
      "that file from where a restored backup was made, set DATA_DIR to the service's, or set BOOTSTRAP_API_KEY and " +
      "BOOTSTRAP_AUTH_TOKEN.\n",
  );
});
