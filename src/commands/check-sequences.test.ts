import { expect, test } from "vitest";
import { emptyFolder, runCommand } from "../../test/command-line.ts";
import { addActivities } from "../../test/factories.ts";
import { startOwnTestService } from "../../test/harness.ts";
import { addNotification } from "../../test/notifications.ts";
import { runSql } from "../../test/run-sql.ts";

test("doctor names each sequence that is behind its records, as after logical replication", async () => {
  const service = await startOwnTestService();
  const workspace = await service.workspace();
  await addActivities(workspace, ["first", "second"]);
  await addNotification(workspace, "first");
  const environment = {
    SECRET_KEY: "5".repeat(64),
    DATABASE_URL: String(service.config.databaseUrl),
    DATA_DIR: await emptyFolder(),
  };
  expect((await runCommand(["doctor"], environment)).stdout).not.toContain("sequence");
  await runSql(service.database, "alter sequence activity_sequence restart");
  const { stdout, exitCode } = await runCommand(["doctor"], environment);
  expect(stdout).toMatch(
    /^ERROR +sequences +The sequence activity_sequence gives 1 next, and the newest record has \d+/m,
  );
  expect(stdout).toContain("select setval('activity_sequence', 100000");
  expect(stdout).not.toContain("notification_sequence");
  expect(exitCode).toBe(1);
});
