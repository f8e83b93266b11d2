import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns the text of a file, or undefined if it does not exist. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
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

/** Makes a rename in the directory durable. Windows has no such call and needs none. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}
