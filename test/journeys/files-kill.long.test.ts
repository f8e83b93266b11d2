import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deleteExpiredRows } from "../../src/database/expiry.ts";
import { deleteLeftFiles } from "../../src/features/files/remove-files.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { createWorkspace } from "../../src/features/workspaces/workspaces.ts";
import { FolderStore } from "../../src/files/folder-store.ts";
import { emptyFolder } from "../command-line.ts";
import { eventually } from "../eventually.ts";
import { SCOPE } from "../factories.ts";
import { addCommentWith, BYTES, NEW_FILE, readFileUrl, sendRaw, uploadFile } from "../files.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { ServiceProcess } from "../service-process.ts";

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

test("files whose rows are marked when the service is killed are deleted by the next one, and no others", async () => {
  const service = startService();
  const workspace = await connect(service);
  const deleted = await uploadFile(workspace);
  const annotationId = await addCommentWith(workspace, [{ fileId: deleted }]);
  const kept = await uploadFile(workspace);
  const url = await readFileUrl(workspace, await addCommentWith(workspace, [{ fileId: kept }]));
  await workspace.data("/v2/commentannotations/delete", { ...SCOPE, annotationIds: [annotationId] });
  // The process ends between the commit of the mark and the deletion of the bytes.
  await runSql(database, "update files set removed_at = 1 where organization_key = $1 and id = $2", [KEY, deleted]);
  await service.terminate("SIGKILL");
  expect(await readNames(KEY)).toContain(deleted);
  await deleteExpiredRows(deleteLeftFiles(database, new FolderStore(FOLDER)));
  expect(await readNames(KEY)).not.toContain(deleted);
  const rows = await runSql<{ id: string }>(database, "select id from files where organization_key = $1", [KEY]);
  expect(rows.map(({ id }) => id)).not.toContain(deleted);
  const next = startService();
  const address = await next.address();
  expect((await sendRaw(url.replace(/^http:\/\/[^/]+/, address), "GET")).body).toEqual(BYTES);
  await next.terminate("SIGKILL");
});
