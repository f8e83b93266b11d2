import { existsSync, openSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/config/log.ts";
import { startService } from "../../src/service/service.ts";
import { eventually } from "../eventually.ts";
import { addActivities, readActivityIds } from "../factories.ts";
import { startOwnTestService, TestWorkspace } from "../harness.ts";
import { readPostmasterPid, ServiceProcess, temporaryDataDir } from "../service-process.ts";

/** A file on which every write fails as on a full disk. */
const FULL_DISK = "/dev/full";

async function countDroppedLines(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^colloquy_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

async function expectUsualResponses(workspace: TestWorkspace): Promise<void> {
  await addActivities(workspace, ["one"]);
  expect(await workspace.error("/v2/activities/get", {})).toMatchObject({ status: "INVALID_ARGUMENT" });
  expect(await readActivityIds(workspace)).toEqual(["one"]);
}

test.skipIf(!existsSync(FULL_DISK))(
  "a full disk of the log changes no response, and /metrics counts what is lost",
  async () => {
    const service = await startOwnTestService();
    const fd = openSync(FULL_DISK, "w");
    const { address, stop } = await startService(service.config, createLogger("debug", { fd }));
    onTestFinished(stop);
    const before = await countDroppedLines(address);
    await expectUsualResponses((await service.workspace()).at(address));
    expect(await countDroppedLines(address)).toBeGreaterThanOrEqual(before + 3);
  },
);

test("a service whose standard output is closed works, survives a database restart, and stops", async () => {
  const dataDir = await temporaryDataDir({ isPostgresPrepared: true });
  const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
  const service = new ServiceProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: "debug",
    BOOTSTRAP_API_KEY: credentials.apiKey,
    BOOTSTRAP_AUTH_TOKEN: credentials.authToken,
  });
  const address = await service.address();
  service.closeStdout();
  const workspace = new TestWorkspace(address, { workspaceId: "", ...credentials });
  await expectUsualResponses(workspace);
  process.kill(await readPostmasterPid(dataDir), "SIGKILL");
  await eventually(() => addActivities(workspace, ["after"]));
  expect(await countDroppedLines(address)).toBeGreaterThan(3);
  expect(await service.terminate()).toBe(0);
  expect(service.stderr).toBe("");
});
