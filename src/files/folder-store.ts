import { createHash, randomUUID } from "node:crypto";
import { access, type FileHandle, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, syncDirectory } from "../config/private-file.ts";
import { isOrganizationKey } from "../database/keys.ts";
import {
  buildStorePath,
  type FileKey,
  type ListableStore,
  type ListedBytes,
  type PartialFile,
  type ServedStore,
  type StoredBytes,
} from "./file-store.ts";

/** Size of the pieces in which a file is read. */
const PIECE_BYTES = 64 * 1024;

/** Time without progress after which bytes are those of a process that has ended. */
const MAX_PARTIAL_MS = 60 * 60 * 1000;

/** Holds the bytes of files in a folder, which all processes of the service share. */
export class FolderStore implements ServedStore, ListableStore {
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
        const target = this.#getPath(key);
        const folder = dirname(target);
        if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) await syncDirectory(this.#folder);
        await rename(path, target);
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
    for await (const name of readNames(this.#partial)) {
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

  async *list(): AsyncGenerator<ListedBytes> {
    for await (const organizationKey of readNames(this.#folder)) {
      if (!isOrganizationKey(organizationKey)) continue;
      for await (const fileId of readNames(join(this.#folder, organizationKey))) {
        const found = await stat(this.#getPath({ organizationKey, fileId })).catch(() => undefined);
        if (found) yield { organizationKey, fileId, size: found.size, modifiedAt: found.mtimeMs };
      }
    }
  }

  async has(key: FileKey): Promise<boolean> {
    return access(this.#getPath(key)).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
  }

  #getPath(key: FileKey): string {
    return join(this.#folder, buildStorePath(key));
  }
}

/** Reads the names in a folder one after the other. A folder that is missing has none. */
async function* readNames(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
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
