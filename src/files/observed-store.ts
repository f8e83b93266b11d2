import type { DirectStore, FileStore, PartialFile, ServedStore } from "./file-store.ts";

/** What a process has done with the store since its start. */
export interface StoreCounts {
  /** Files that were sent and read, by kind. */
  transfers: { upload: number; download: number };
  /** Requests to the store that failed, by what they were for. */
  failures: { upload: number; download: number; delete: number };
}

/** Returns the store, and what is counted of its use. */
export function observeStore(store: FileStore): { store: FileStore; counts: StoreCounts } {
  const counts: StoreCounts = {
    transfers: { upload: 0, download: 0 },
    failures: { upload: 0, download: 0, delete: 0 },
  };
  return { store: store.kind === "served" ? observeServed(store, counts) : observeDirect(store, counts), counts };
}

function observeServed(store: ServedStore, counts: StoreCounts): ServedStore {
  return {
    kind: "served",
    ...observeAny(store, counts),
    deletePartial: () => failing(counts, "delete", () => store.deletePartial()),
    begin: async () => observeUpload(await failing(counts, "upload", () => store.begin()), counts),
    async open(key) {
      const bytes = await failing(counts, "download", () => store.open(key));
      if (bytes) counts.transfers.download++;
      return bytes;
    },
  };
}

function observeUpload(partial: PartialFile, counts: StoreCounts): PartialFile {
  return {
    write: (chunk) => failing(counts, "upload", () => partial.write(chunk)),
    finish: () => failing(counts, "upload", () => partial.finish()),
    async keep(key) {
      await failing(counts, "upload", () => partial.keep(key));
      counts.transfers.upload++;
    },
    discard: () => partial.discard(),
  };
}

function observeDirect(store: DirectStore, counts: StoreCounts): DirectStore {
  return {
    kind: "direct",
    ...observeAny(store, counts),
    signUpload: (key, expected, expiresSeconds) => store.signUpload(key, expected, expiresSeconds),
    async complete(key, expected) {
      const isComplete = await failing(counts, "upload", () => store.complete(key, expected));
      if (isComplete) counts.transfers.upload++;
      return isComplete;
    },
    async signDownload(key, method, headers) {
      const url = await store.signDownload(key, method, headers);
      counts.transfers.download++;
      return url;
    },
  };
}

function observeAny(store: FileStore, counts: StoreCounts): Pick<FileStore, "delete" | "check"> {
  return {
    delete: (key) => failing(counts, "delete", () => store.delete(key)),
    check: () => store.check(),
  };
}

/** Counts the work if it fails. */
async function failing<Result>(
  { failures }: StoreCounts,
  purpose: keyof StoreCounts["failures"],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    failures[purpose]++;
    throw error;
  }
}
