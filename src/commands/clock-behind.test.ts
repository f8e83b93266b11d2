import { join } from "node:path";
import { expect, test } from "vitest";
import { setClockBack } from "../../test/clock.ts";
import { emptyFolder, runCommand, runJsonCommand } from "../../test/command-line.ts";
import { addActivities } from "../../test/factories.ts";
import { createTestDatabase, startOwnTestService } from "../../test/harness.ts";

const SECRET_KEY = "5".repeat(64);
const BEHIND = "is 120 min later than the database's clock";

/** Returns the environment of a database whose clock has been set back by two hours. */
async function behind() {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  await addActivities(workspace, ["a"]);
  await setClockBack(service, workspace, 7_200_000);
  return { SECRET_KEY, DATABASE_URL: String(service.config.databaseUrl), DATA_DIR: await emptyFolder() };
}

test("doctor warns about a clock that is behind what is stored", async () => {
  const { stdout } = await runCommand(["doctor"], await behind());
  expect(stdout).toMatch(new RegExp(`^WARNING +clock .*${BEHIND}`, "m"));
});

test("a restore warns about a clock that is behind what was restored", async () => {
  const file = join(await emptyFolder(), "backup");
  await runJsonCommand(["backup", file], await behind());
  const { connectionString } = await createTestDatabase({ isBare: true });
  const target = { SECRET_KEY, DATABASE_URL: connectionString, DATA_DIR: await emptyFolder() };
  const { stderr, exitCode } = await runCommand(["restore", file], target);
  expect(stderr).toContain(BEHIND);
  expect(exitCode).toBe(0);
});
