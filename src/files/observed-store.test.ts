import { expect, test } from "vitest";
import { emptyFolder } from "../../test/command-line.ts";
import { organizationKey } from "../features/tenancy/organization-key.ts";
import type { FileStore } from "./file-store.ts";
import { FolderStore } from "./folder-store.ts";
import { observeStore } from "./observed-store.ts";

const KEY = { organizationKey: organizationKey("workspace", "acme"), fileId: "file" };

test("transfers are counted when they succeed", async () => {
  const { store, counts } = observeStore(new FolderStore(await emptyFolder()));
  if (store.kind !== "served") throw new Error("the store is a folder");
  const partial = await store.begin();
  await partial.write(Buffer.from("bytes"));
  await partial.finish();
  expect(counts.transfers).toEqual({ upload: 0, download: 0 });
  await partial.keep(KEY);
  await partial.discard();
  const bytes = await store.open(KEY);
  await bytes?.close();
  expect(await store.open({ ...KEY, fileId: "missing" })).toBeUndefined();
  expect(counts).toEqual({
    transfers: { upload: 1, download: 1 },
    failures: { upload: 0, download: 0, delete: 0 },
  });
});

test("failures are counted by what failed, and reach the caller", async () => {
  const fail = async () => Promise.reject(new Error("the bucket is away"));
  const broken: FileStore = {
    ...{ kind: "direct", delete: fail, check: fail, complete: fail },
    ...{ signUpload: fail, signDownload: fail },
  };
  const { store, counts } = observeStore(broken);
  if (store.kind !== "direct") throw new Error("the store is a bucket");
  await expect(store.delete(KEY)).rejects.toThrow("the bucket is away");
  const expected = { contentType: "text/plain", size: 1, checksum: null };
  await expect(store.complete(KEY, expected)).rejects.toThrow("the bucket is away");
  expect(counts).toEqual({
    transfers: { upload: 0, download: 0 },
    failures: { upload: 1, download: 0, delete: 1 },
  });
});
