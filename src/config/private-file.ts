import { randomUUID } from "node:crypto";
import { access, type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeFileError } from "./file-error.ts";

/** Returns the text of a file, or undefined if it does not exist. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether a file could not be opened because it, or its folder, does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * Writes a file that only its owner can read, atomically: a crash leaves the old file or the new one. Resolves once the
 * new one survives a power cut.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", 0o600);
  try {
    // A file left by a killed process would keep the mode that it had.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/**
 * Writes a new file that only its owner can read. It appears once it is complete and survives a power cut. Throws an
 * error if the file exists.
 */
export async function createPrivateFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await assertAbsent(path);
  const temporary = `${path}.${process.pid}.partial`;
  const file = await open(temporary, "wx", 0o600).catch((error: unknown) => {
    throw isMissing(error) ? new Error(`The folder ${dirname(path)} does not exist. Create it first.`) : error;
  });
  try {
    await file.writeFile(content, { signal });
    await file.sync();
    await file.close();
    await assertAbsent(path);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function assertAbsent(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${path} exists already. Name a new file.`);
}

/** Stores a stream in a file of the folder that has no name, and so ends with the process at the latest. */
export async function storeTemporarily(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  signal: AbortSignal,
): Promise<FileHandle> {
  const path = join(folder, `${randomUUID()}.partial`);
  const file = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => open(path, "wx+", 0o600))
    .catch((error: unknown) => {
      const reason = describeFileError(error) ?? String(error);
      throw new Error(`Standard input is stored in DATA_DIR, ${folder}, which cannot be used. ${reason}`);
    });
  try {
    await rm(path);
    await file.writeFile(content, { signal });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes a rename in the directory durable. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}
