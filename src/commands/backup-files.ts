import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Queryable } from "../database/statement.ts";
import { selectUploadedFiles } from "../features/files/stored-file-queries.ts";
import { acrossOrganizations } from "../features/tenancy/organization-scope.ts";
import { copyNewFiles, copyVerified } from "../files/copied-files.ts";

const FILES_PER_PAGE = 1_000;

/** Returns the folder of the store of files. Throws if they are in a bucket. */
function getFolder({ files, dataDir }: Config): string {
  if (files === undefined) return join(dataDir, "files");
  throw new Error(`Files are in the bucket ${files.bucket.url}. Copy it with the tools of its store, without --files.`);
}

/**
 * Copies all files to a new folder, before and after `work`, which backs up their rows: the first copy has those that
 * are deleted meanwhile, and the second one those that are uploaded.
 */
export async function withCopiedFiles<Result>(
  config: Config,
  folder: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<{ result: Result; copied: number }> {
  const from = getFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty. Name a new folder.`);
  try {
    const before = await copyNewFiles(from, folder, signal);
    const result = await work();
    return { result, copied: before + (await copyNewFiles(from, folder, signal)) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the bytes of the restored files back. Returns how many, and how many are missing or damaged. */
export async function restoreFiles(
  config: Config,
  folder: string,
  transaction: Queryable,
  signal: AbortSignal,
): Promise<{ copied: number; missing: number }> {
  const folders = { from: folder, to: getFolder(config) };
  const scope = acrossOrganizations(transaction);
  const counts = { copied: 0, missing: 0 };
  for (let page = await selectUploadedFiles(scope, undefined, FILES_PER_PAGE); page.length > 0; ) {
    for (const { size, checksum, ...key } of page) {
      signal.throwIfAborted();
      counts[(await copyVerified(folders, key, { size, checksum })) ? "copied" : "missing"]++;
    }
    page = await selectUploadedFiles(scope, page.at(-1), FILES_PER_PAGE);
  }
  return counts;
}
