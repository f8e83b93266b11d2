import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, runCommand } from "../command-line.ts";
import { startDatabaseProxy } from "../database-proxy.ts";
import { eventually } from "../eventually.ts";
import { addActivities, readActivityIds } from "../factories.ts";
import { freePort } from "../free-port.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { runQuery } from "../servers.ts";
import { startInProcess } from "../service-process.ts";

const PGBOUNCER = "pgbouncer";
const isInstalled = spawnSync(PGBOUNCER, ["--version"]).status === 0;
const SECRET_KEY = "5".repeat(64);
const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };

/** Starts PgBouncer in front of the test server until the end of the test. Returns the URL of a database behind it. */
async function startPgBouncer(connectionString: string, mode: "session" | "transaction"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  await chmod(folder, 0o755);
  // PgBouncer runs as another user, who may not open the socket of the test server.
  const url = new URL((await startDatabaseProxy(connectionString)).url);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const port = await freePort();
  await writeFile(join(folder, "users.txt"), `"${user}" "${password}"\n`);
  const settings = {
    ...{ listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "", pool_mode: mode },
    ...{ auth_type: "trust", auth_file: join(folder, "users.txt") },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  const server = `host=127.0.0.1 port=${url.port}${password && ` password=${password}`}`;
  await writeFile(file, `[databases]\n* = ${server}\n[pgbouncer]\n${lines.join("\n")}\n`);
  // It does not run as root.
  const identity = process.getuid?.() === 0 ? ["--user", "nobody"] : [];
  const child = spawn(PGBOUNCER, ["--quiet", ...identity, file], { stdio: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    await rm(folder, { recursive: true });
  });
  url.host = `127.0.0.1:${port}`;
  await eventually(() => runQuery(url.href, "select 1"));
  return url.href;
}

test.runIf(isInstalled)(
  "PgBouncer in transaction mode is rejected at the start and by doctor, with the reason",
  async () => {
    const { connectionString } = await createTestDatabase();
    const DATABASE_URL = await startPgBouncer(connectionString, "transaction");
    const environment = { DATABASE_URL, SECRET_KEY, DATA_DIR: await emptyFolder() };
    const reason = /behind a pooler that shares sessions between clients. Set its mode to session/;
    await expect(startInProcess(environment)).rejects.toThrow(reason);
    expect(await runCommand(["doctor"], environment)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(reason),
    });
  },
);

test.runIf(isInstalled)("PgBouncer in session mode works with its defaults", async () => {
  const { connectionString } = await createTestDatabase();
  const DATABASE_URL = await startPgBouncer(connectionString, "session");
  const { address } = await startInProcess({
    DATABASE_URL,
    SECRET_KEY,
    ...{ BOOTSTRAP_API_KEY: CREDENTIALS.apiKey, BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken },
  });
  const workspace = new TestWorkspace(address, { workspaceId: "", ...CREDENTIALS });
  await addActivities(workspace, ["behind PgBouncer"]);
  expect(await readActivityIds(workspace)).toEqual(["behind PgBouncer"]);
});
