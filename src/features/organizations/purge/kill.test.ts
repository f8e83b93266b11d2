import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { addActivities, multiplyActivity } from "../../../../test/factories.ts";
import { createTestDatabase, TestWorkspace } from "../../../../test/harness.ts";
import { ORGANIZATIONS, remove, untilGone } from "../../../../test/organizations.ts";
import { runText } from "../../../../test/run-text.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { createWorkspace } from "../../workspaces/workspaces.ts";

const MAIN = fileURLToPath(new URL("../../../main.js", import.meta.url));
/** Number of records; a step purges 2,000. The long run is `RECORDS=1000000`. */
const RECORDS = Number(process.env.RECORDS ?? 40_000);
const { database, connectionString } = await createTestDatabase();

/** Starts a service in a process of its own and waits until it listens. */
async function startProcess() {
  const env = {
    PATH: String(process.env.PATH),
    PORT: "0",
    DATABASE_URL: connectionString,
    SECRET_KEY: "5".repeat(64),
    BOOTSTRAP_API_KEY: "bootstrap-key",
    BOOTSTRAP_AUTH_TOKEN: "bootstrap-token-0123456789",
  };
  const child = spawn(process.execPath, [MAIN, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface(child.stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return { child, address };
  }
  throw new Error("the service ended before it listened");
}

async function countRecords(key: string): Promise<number> {
  const rows = await runText<{ count: number }>(
    database,
    "select count(*) as count from activities where organization_key = $1",
    [key],
  );
  return rows[0]?.count ?? 0;
}

test("a deletion whose process is killed in the middle of it is finished by the next one", async () => {
  const { child, address } = await startProcess();
  const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
  const workspace = new TestWorkspace(address, created);
  await addActivities(workspace, ["a"]);
  const key = organizationKey(workspace.id, "acme");
  await multiplyActivity(database, key, "a", RECORDS - 1);
  await remove(workspace, ORGANIZATIONS, ["acme"]);
  await expect.poll(() => countRecords(key)).toBeLessThan(RECORDS);
  child.kill("SIGKILL");
  await once(child, "exit");
  const left = await countRecords(key);
  expect(left).toBeGreaterThan(0);
  const next = await startProcess();
  await untilGone({ database }, workspace);
  expect(await countRecords(key)).toBe(0);
  await addActivities(workspace.at(next.address), ["new"]);
  expect(await countRecords(key)).toBe(1);
});
