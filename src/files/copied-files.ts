import { createHash } from "node:crypto";
import { copyFile, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, syncDirectory } from "../config/private-file.ts";
import { isOrganizationKey } from "../database/keys.ts";
import { buildStorePath, type FileKey } from "./file-store.ts";

/** Copies the bytes of all files of a store's folder that another folder does not have yet. Returns how many. */
export async function copyNewFiles(from: string, to: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const organizationKey of (await readNames(from)).filter(isOrganizationKey)) {
    const known = new Set(await readNames(join(to, organizationKey)));
    for (const fileId of await readNames(join(from, organizationKey))) {
      signal.throwIfAborted();
      if (known.has(fileId)) continue;
      const key = { organizationKey, fileId };
      if (await copy(join(from, buildStorePath(key)), join(to, buildStorePath(key)), async () => true)) count++;
    }
  }
  return count;
}

/** Copies the bytes of a file between the folders of stores. Returns false if they are missing or are others. */
export async function copyVerified(
  { from, to }: { from: string; to: string },
  key: FileKey,
  expected: { size: number; checksum: string | null },
): Promise<boolean> {
  return copy(join(from, buildStorePath(key)), join(to, buildStorePath(key)), async (path) => {
    const { bytes, checksum } = await digest(path);
    return bytes === expected.size && (expected.checksum ?? checksum) === checksum;
  });
}

function readNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** Copies a file, which appears once it is complete and durable. Returns false if it is missing or rejected. */
async function copy(from: string, to: string, isAccepted: (path: string) => Promise<boolean>): Promise<boolean> {
  const temporary = `${to}.partial`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await copyFile(from, temporary);
    if (!(await isAccepted(temporary))) return false;
    await makePrivate(temporary);
    await rename(temporary, to);
    await syncDirectory(dirname(to));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function makePrivate(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function digest(path: string): Promise<{ bytes: number; checksum: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "r");
  for await (const chunk of file.createReadStream()) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, checksum: hash.digest("hex") };
}
