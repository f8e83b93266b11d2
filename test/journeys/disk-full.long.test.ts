import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/database/database.ts";
import { startService } from "../../src/service/service.ts";
import { eventually } from "../eventually.ts";
import { addActivities, readActivityIds, SCOPE } from "../factories.ts";
import { addCommentWith, getReason, NEW_FILE, readFileUrl, sendRaw, uploadFile } from "../files.ts";
import { copyCluster } from "../global-setup.ts";
import { silentLog, startOwnTestService, TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { readPostmasterPid } from "../service-process.ts";
import { mountSmallDisk, type SmallDisk, whyNoSmallDisk } from "../small-disk.ts";

const DISK_MEGABYTES = 128;
const whyNot = whyNoSmallDisk();
if (whyNot) console.warn(`The tests of full disks are skipped: ${whyNot}.`);

/** Starts a service whose embedded database is on a small disk. */
async function startOnSmallDisk() {
  const disk = mountSmallDisk(DISK_MEGABYTES);
  copyCluster(inject("preparedDataDir"), disk.directory);
  const credentials = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
  const config = readConfig({
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: disk.directory,
    BOOTSTRAP_API_KEY: credentials.apiKey,
    BOOTSTRAP_AUTH_TOKEN: credentials.authToken,
  });
  const { address, stop } = await startService(config, silentLog);
  onTestFinished(stop);
  const workspace = new TestWorkspace(address, { workspaceId: "", ...credentials });
  await addActivities(workspace, ["before"]);
  return { disk, workspace, readyz: async () => getReadiness(await fetch(`${address}/readyz`)) };
}

async function getReadiness(response: Response): Promise<{ httpStatus: number; body: unknown }> {
  return { httpStatus: response.status, body: await response.json() };
}

/** Adds a record that needs new space in the database. */
function addLargeRecord(workspace: TestWorkspace) {
  const entityData = randomBytes(100_000).toString("base64");
  const activity = { id: "large", featureType: "crdt", actionType: "x", actionUser: { userId: "u" }, entityData };
  return workspace.call("/v2/activities/add", { ...SCOPE, activities: [activity] });
}

const READY = { httpStatus: 200, body: { status: "ready", reading: "ok", writing: "ok" } };

test.skipIf(whyNot)("a full disk rejects writes as storage_full, serves reads, and needs no restart", async () => {
  const { disk, workspace, readyz } = await startOnSmallDisk();
  const postmaster = await readPostmasterPid(disk.directory);
  expect(await readyz()).toEqual(READY);
  disk.fill();
  const { httpStatus, headers, body } = await addLargeRecord(workspace);
  expect(body).toMatchObject({
    error: {
      status: "UNAVAILABLE",
      message: expect.stringContaining("storage of the database is full"),
      details: { reason: "storage_full" },
    },
  });
  expect([httpStatus, headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await readActivityIds(workspace)).toEqual(["before"]);
  const details = { reason: "storage_full", reading: "ok", writing: "storage_full" };
  await eventually(async () => {
    expect(await readyz()).toMatchObject({ httpStatus: 503, body: { error: { status: "UNAVAILABLE", details } } });
  });
  disk.free();
  expect(await addLargeRecord(workspace)).toMatchObject({ httpStatus: 200 });
  await eventually(async () => expect(await readyz()).toEqual(READY));
  expect(await readPostmasterPid(disk.directory)).toBe(postmaster);
});

/** Writes to the log of PostgreSQL (WAL) until the disk is full, at which PostgreSQL ends. */
async function exhaustWriteAheadLog({ directory }: SmallDisk): Promise<void> {
  const connection = { host: `${directory}/postgres`, port: 5432, user: "colloquy", database: "colloquy" };
  const database = openDatabase({ connection, poolMax: 1, log: silentLog });
  const writing = (async () => {
    for (;;) await runSql(database, "select pg_logical_emit_message(true, 'test', repeat('x', 1000000))");
  })();
  await expect(writing).rejects.toThrow(/No space left|terminat|ECONNRE|recovery/);
  await database.close();
}

test.skipIf(whyNot)(
  "a service whose PostgreSQL ended because its disk is full works again once there is space",
  async () => {
    const { disk, workspace, readyz } = await startOnSmallDisk();
    disk.fill();
    await exhaustWriteAheadLog(disk);
    await eventually(async () => expect(await readyz()).toMatchObject({ httpStatus: 503 }));
    disk.free();
    await eventually(() => addActivities(workspace, ["after"]));
    expect(await readActivityIds(workspace)).toEqual(["before", "after"]);
    await eventually(async () => expect(await readyz()).toEqual(READY));
  },
);

test.skipIf(whyNot)(
  "a full disk of files rejects uploads as storage_full, keeps no part, and serves the rest",
  async () => {
    const disk = mountSmallDisk(4);
    const service = await startOwnTestService(() => ({ dataDir: disk.directory }));
    const workspace = await service.publicWorkspace();
    const bytes = randomBytes(100_000);
    const before = await uploadFile(workspace, {}, bytes);
    const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId: before }]));
    const { upload } = await workspace.data("/v2/files/add", { ...NEW_FILE, size: bytes.length });
    disk.fill();
    const rejected = await sendRaw(upload.url, "PUT", upload.headers, bytes);
    expect([rejected.status, getReason(rejected)]).toEqual([503, "storage_full"]);
    expect(await readdir(join(disk.directory, "files", "partial"))).toEqual([]);
    expect((await sendRaw(url, "GET")).body).toEqual(bytes);
    await addActivities(workspace, ["others"]);
    disk.free();
    expect((await sendRaw(upload.url, "PUT", upload.headers, bytes)).status).toBe(204);
  },
);
