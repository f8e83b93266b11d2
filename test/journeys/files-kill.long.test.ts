import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFilesUrl } from "../../src/config/file-settings.ts";
import { deleteExpiredRows } from "../../src/database/expiry.ts";
import { deleteUnreferencedFiles } from "../../src/features/files/remove-files.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { createWorkspace } from "../../src/features/workspaces/workspaces.ts";
import type { FileKey } from "../../src/files/file-store.ts";
import { S3Store } from "../../src/files/s3-store.ts";
import { emptyFolder } from "../command-line.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { addCommentWith, BYTES, NEW_FILE, sendRaw } from "../files.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { startHeldBucket } from "../held-bucket.ts";
import { runSql } from "../run-sql.ts";
import { BUCKET_KEYS } from "../s3-bucket.ts";
import { ServiceProcess } from "../service-process.ts";
import { deleteUserData } from "../user-data.ts";

const { database, connectionString } = await createTestDatabase();
const DATA_DIR = await emptyFolder();
const FOLDER = join(DATA_DIR, "files");
const created = await createWorkspace(database, { name: "killed", activityServiceEnabled: true });
const KEY = organizationKey(created.workspaceId, "acme");

function startService(): ServiceProcess {
  return new ServiceProcess({ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), DATA_DIR });
}

async function connect(process: ServiceProcess): Promise<TestWorkspace> {
  return new TestWorkspace(await process.address(), created);
}

function readNames(folder: string): Promise<string[]> {
  return readdir(join(FOLDER, folder)).catch(() => []);
}

test("an upload whose service is killed leaves no file, and can be sent again", async () => {
  const killed = startService();
  const workspace = await connect(killed);
  const { fileId, upload } = await workspace.data("/v2/files/add", NEW_FILE);
  const headers = { ...upload.headers, "content-length": BYTES.length };
  const sent = request(upload.url, { method: "PUT", headers });
  const ended = new Promise((resolve) => sent.on("error", resolve));
  sent.write(BYTES.subarray(0, 5));
  await eventually(async () => expect(await readNames("partial")).toHaveLength(1));
  await killed.terminate("SIGKILL");
  await ended;
  expect(await readNames(KEY)).toEqual([]);
  const next = startService();
  const address = await next.address();
  const url = upload.url.replace(/^http:\/\/[^/]+/, address);
  expect((await sendRaw(url, "PUT", upload.headers, BYTES)).status).toBe(204);
  expect(await readNames(KEY)).toEqual([fileId]);
  await next.terminate("SIGKILL");
});

describe("a service that is killed after the commit of a deletion and before that of the bytes", async () => {
  const bucket = await startHeldBucket();
  const store = new S3Store(readFilesUrl(bucket.url), BUCKET_KEYS);
  const environment = {
    ...{ DATABASE_URL: connectionString, SECRET_KEY: "5".repeat(64), DATA_DIR, FILES_URL: bucket.url },
    ...{ AWS_ACCESS_KEY_ID: BUCKET_KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: BUCKET_KEYS.secretAccessKey },
  };

  /** Stores a file that a comment of ada names. */
  async function storeNamed(workspace: TestWorkspace, scope: typeof SCOPE): Promise<FileKey> {
    const { fileId, upload } = await workspace.data("/v2/files/add", { ...NEW_FILE, ...scope });
    await sendRaw(upload.url, "PUT", upload.headers, BYTES);
    await addCommentWith(workspace, [{ fileId }], scope);
    return { organizationKey: organizationKey(created.workspaceId, scope.organizationId), fileId };
  }

  const readRows = ({ fileId }: FileKey) => runSql(database, "select removed_at from files where id = $1", [fileId]);

  test.each([
    [
      "an organization",
      "killed-1",
      (workspace: TestWorkspace) => workspace.data("/v2/organizations/delete", { organizationIds: ["killed-1"] }),
    ],
    ["a user's data", "killed-2", (workspace: TestWorkspace) => deleteUserData(workspace, ["ada"], ["killed-2"])],
  ])("deletes them when it runs again: %s", async (_, organizationId, remove) => {
    const killed = new ServiceProcess(environment);
    const workspace = await connect(killed);
    const key = await storeNamed(workspace, { ...SCOPE, organizationId });
    const kept = await storeNamed(workspace, { ...SCOPE, organizationId: "kept" });
    const arrived = bucket.hold();
    await remove(workspace);
    await arrived;
    expect(await readRows(key)).toEqual([{ removed_at: expect.any(Number) }]);
    await killed.terminate("SIGKILL");
    expect(await store.has(key)).toBe(true);
    bucket.release();
    const next = new ServiceProcess(environment);
    await next.address();
    await eventually(async () => {
      expect([await store.has(key), await readRows(key)]).toEqual([false, []]);
    });
    expect([await store.has(kept), await readRows(kept)]).toEqual([true, [{ removed_at: null }]]);
    await next.terminate("SIGKILL");
  });

  test("deletes them when it looks again: a document", async () => {
    const killed = new ServiceProcess(environment);
    const workspace = await connect(killed);
    const key = await storeNamed(workspace, { organizationId: "acme", documentId: "killed" });
    await workspace.data("/v2/organizations/documents/delete", { organizationId: "acme", documentIds: ["killed"] });
    await killed.terminate("SIGKILL");
    expect([await store.has(key), await readRows(key)]).toEqual([true, [{ removed_at: null }]]);
    await deleteExpiredRows(deleteUnreferencedFiles(database, store));
    expect([await store.has(key), await readRows(key)]).toEqual([false, []]);
  });
});
