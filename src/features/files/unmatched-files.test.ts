import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../../../test/command-line.ts";
import { BYTES, NEW_FILE, sendRaw } from "../../../test/files.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { BUCKET_KEYS, startBucket } from "../../../test/s3-bucket.ts";
import { readFilesUrl } from "../../config/file-settings.ts";
import { DAY_MS } from "../../database/expiry.ts";
import type { FileKey } from "../../files/file-store.ts";
import { FolderStore } from "../../files/folder-store.ts";
import { S3Store } from "../../files/s3-store.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { findBytesWithoutRows, findRowsWithoutBytes } from "./unmatched-files.ts";

async function collect(files: AsyncIterable<FileKey>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { fileId } of files) ids.push(fileId);
  return ids.sort();
}

/** Starts a service whose files are in a bucket. Returns its store. */
async function startWithBucket() {
  const bucket = readFilesUrl(await startBucket());
  const service = await startOwnTestService(() => ({ files: { bucket, credentials: BUCKET_KEYS } }));
  return { service, store: new S3Store(bucket, BUCKET_KEYS) };
}

async function startWithFolder() {
  const service = await startOwnTestService();
  return { service, store: new FolderStore(join(service.config.dataDir, "files")) };
}

test.each([
  ["a folder", startWithFolder],
  ["a bucket", startWithBucket],
])("bytes without rows and rows without bytes are found in %s once they are a day old", async (_, start) => {
  const { service, store } = await start();
  const { database } = service;
  const workspace = await service.workspace();
  const files: FileKey[] = [];
  for (const organizationId of ["acme", "acme", "acme", "initech"]) {
    const { fileId, upload } = await workspace.data("/v2/files/add", { ...NEW_FILE, organizationId });
    await sendRaw(upload.url, "PUT", upload.headers, BYTES);
    const key = organizationKey(workspace.id, organizationId);
    if (store instanceof S3Store)
      await store.complete({ organizationKey: key, fileId }, { ...NEW_FILE, checksum: null });
    await runSql(database, "update files set uploaded_at = created_at where id = $1", [fileId]);
    files.push({ organizationKey: key, fileId });
  }
  const [kept, rowless, byteless, other] = files.map(({ fileId }) => fileId);
  await runSql(database, "delete from files where id = any($1)", [[rowless, other]]);
  const [, , missing] = files;
  if (missing) await store.delete(missing);
  const tomorrow = Date.now() + DAY_MS + 60_000;
  expect(await collect(findBytesWithoutRows(database, store))).toEqual([]);
  expect(await collect(findBytesWithoutRows(database, store, tomorrow))).toEqual([rowless, other].sort());
  expect(await collect(findRowsWithoutBytes(database, store))).toEqual([]);
  await runSql(database, "update files set uploaded_at = uploaded_at - 86400001 where true", []);
  expect(await collect(findRowsWithoutBytes(database, store))).toEqual([byteless]);
  expect(await collect(store.list())).toEqual([kept, rowless, other].sort());
});

describe("the folder", () => {
  test("lists only files of organizations", async () => {
    const folder = await emptyFolder();
    const key = organizationKey("workspace", "acme");
    for (const name of [key, "partial", "else"]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "file"), "bytes");
    }
    const listed = await Array.fromAsync(new FolderStore(folder).list());
    expect(listed).toEqual([{ organizationKey: key, fileId: "file", size: 5, modifiedAt: expect.any(Number) }]);
    expect(await Array.fromAsync(new FolderStore(join(folder, "missing")).list())).toEqual([]);
  });

  test("does not let the ID of a forged backup lead out of it", async () => {
    const folder = await emptyFolder();
    const key = { organizationKey: organizationKey("workspace", "acme"), fileId: "../secret" };
    await mkdir(join(folder, key.organizationKey));
    await writeFile(join(folder, "secret"), "secret");
    const store = new FolderStore(folder);
    expect(await store.open(key)).toBeUndefined();
    await store.delete(key);
    expect(await store.has({ ...key, fileId: "../secret" })).toBe(false);
    await expect(writeFile(join(folder, "secret"), "", { flag: "wx" })).rejects.toThrow("EEXIST");
  });
});
