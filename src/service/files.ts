import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { findDownload } from "../features/files/find-download.ts";
import { receiveUpload } from "../features/files/receive-upload.ts";
import { DOWNLOAD_PATH, SignedFileLinks, UPLOAD_PATH } from "../features/files/signed-file-links.ts";
import type { FileStore } from "../files/file-store.ts";
import { FolderStore } from "../files/folder-store.ts";
import { observeStore, type StoreCounts } from "../files/observed-store.ts";
import { S3Store } from "../files/s3-store.ts";
import { addFileRoutes } from "../http/file-routes.ts";
import type { CallerChecks } from "./authentication.ts";
import type { Keys } from "./keys.ts";
import type { Listener } from "./listener.ts";
import type { StartContext } from "./start-context.ts";

/** The store of files, what is counted of its use, and what signs their URLs. */
export interface Files {
  store: FileStore;
  counts: StoreCounts;
  links: SignedFileLinks;
}

/** Returns the store that the configuration names. */
export function openFileStore({ files, dataDir }: Pick<Config, "files" | "dataDir">): FolderStore | S3Store {
  return files ? new S3Store(files.bucket, files.credentials) : new FolderStore(join(dataDir, "files"));
}

export async function openFiles({ config }: StartContext, keys: Keys, baseUrl: string): Promise<Files> {
  const { store, counts } = observeStore(openFileStore(config));
  return { store, counts, links: new SignedFileLinks(keys.files, store, { baseUrl, limits: config.fileLimits }) };
}

/** Adds the routes by which clients send and read files. */
export async function acceptFiles(
  { config }: StartContext,
  {
    listener,
    database,
    checks,
    files: { store, links },
  }: { listener: Listener; database: Database; checks: CallerChecks; files: Files },
): Promise<void> {
  await addFileRoutes(listener.server, {
    paths: { upload: UPLOAD_PATH, download: DOWNLOAD_PATH },
    verify: (use, token) => links.verify(use, token),
    receive:
      store.kind === "served"
        ? (file, member, request) => receiveUpload({ database: database.forMember(member), store }, file, request)
        : undefined,
    find: (file, member) => findDownload({ database: database.forMember(member), store }, file),
    crossOrigin: checks.crossOrigin,
    limits: config.limits.uploads,
  });
}
