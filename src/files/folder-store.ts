import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, syncDirectory } from "../config/private-file.ts";
import type { FileKey, PartialFile, ServedStore, StoredBytes } from "./file-store.ts";

/** Size of the pieces in which a file is read. */
const PIECE_BYTES = 64 * 1024;

/** Time without progress after which bytes are those of a process that has ended. */
const MAX_PARTIAL_MS = 60 * 60 * 1000;

/** Holds the bytes of files in a folder, which all processes of the service share. */
export class FolderStore implements ServedStore {
  readonly kind = "served";
  readonly #folder: string;
  readonly #partial: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#partial = join(folder, "partial");
  }

  async begin(): Promise<PartialFile> {
    const path = join(this.#partial, randomUUID());
    const file = await openNew(this.#partial, path);
    const hash = createHash("sha256");
    let bytes = 0;
    let isKept = false;
    return {
      async write(chunk) {
        hash.update(chunk);
        bytes += chunk.length;
        await writeAll(file, chunk);
      },
      async finish() {
        await file.sync();
        return { bytes, checksum: hash.digest("hex") };
      },
      keep: async (key) => {
        const folder = this.#getFolder(key);
        if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncDirectory(this.#folder);
        await rename(path, join(folder, key.fileId));
        isKept = true;
        await syncDirectory(folder);
      },
      async discard() {
        await file.close();
        if (!isKept) await rm(path, { force: true });
      },
    };
  }

  async open(key: FileKey): Promise<StoredBytes | undefined> {
    try {
      const file = await open(this.#getPath(key), "r");
      const { size } = await file.stat();
      return {
        size,
        read: (start, end) => file.createReadStream({ start, end, autoClose: false, highWaterMark: PIECE_BYTES }),
        close: () => file.close(),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async deletePartial(): Promise<void> {
    const names = await readdir(this.#partial).catch(emptyIfMissing);
    for (const name of names) {
      const path = join(this.#partial, name);
      const modifiedMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
      if (modifiedMs < Date.now() - MAX_PARTIAL_MS) await rm(path, { force: true });
    }
  }

  async check(): Promise<void> {
    const probe = await this.begin();
    await probe.finish().finally(() => probe.discard());
  }

  async delete(key: FileKey): Promise<void> {
    await rm(this.#getPath(key), { force: true });
  }

  #getFolder({ organizationKey }: FileKey): string {
    return join(this.#folder, organizationKey);
  }

  #getPath(key: FileKey): string {
    return join(this.#getFolder(key), key.fileId);
  }
}

function emptyIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

async function openNew(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, "wx", 0o600);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}
