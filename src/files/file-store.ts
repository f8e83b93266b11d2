import type { OrganizationKey } from "../database/keys.ts";

/** Names the bytes of a file in the store. */
export interface FileKey {
  organizationKey: OrganizationKey;
  fileId: string;
}

/**
 * Returns the path of a file in a store. The ID may be that of a forged backup, and does not lead out of the folder of
 * the organization.
 */
export function buildStorePath({ organizationKey, fileId }: FileKey): string {
  return `${organizationKey}/${/^[\w-][\w.-]*$/.test(fileId) ? fileId : "invalid"}`;
}

/** Bytes that arrive, which no file has yet. */
export interface PartialFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the bytes durable. Returns how many there are, and their SHA-256 in hexadecimal digits. */
  finish(): Promise<{ bytes: number; checksum: string }>;
  /** Makes them the bytes of a file, which must have none. */
  keep(key: FileKey): Promise<void>;
  /** Deletes them unless they are kept. */
  discard(): Promise<void>;
}

/** The bytes of a file. */
export interface StoredBytes {
  size: number;
  /** Reads the bytes from `start` to `end`, both included. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The bytes of a file in the list of a store. */
export interface ListedBytes extends FileKey {
  size: number;
  /** In milliseconds since the epoch. */
  modifiedAt: number;
}

/** Tells which bytes a store has. */
export interface ListableStore {
  /** Lists the bytes of all files, and of uploads, those of one organization together. */
  list(): AsyncIterable<ListedBytes>;
  /** Returns whether the bytes of a file are there. */
  has(key: FileKey): Promise<boolean>;
}

interface AnyStore {
  /** Deletes the bytes of a file, if there are any. */
  delete(key: FileKey): Promise<void>;
  /** Throws unless the store can be written. */
  check(): Promise<void>;
}

/** Holds bytes that clients send to the service and read from it. */
export interface ServedStore extends AnyStore {
  kind: "served";
  begin(): Promise<PartialFile>;
  /** Deletes bytes that no file has, and that did not arrive for an hour: their process has ended. */
  deletePartial(): Promise<void>;
  /** Opens the bytes of a file, or returns undefined if there are none. */
  open(key: FileKey): Promise<StoredBytes | undefined>;
}

/** What the URL of an upload allows. */
export interface ExpectedBytes {
  contentType: string;
  size: number;
  /** SHA-256 in hexadecimal digits; null if the client did not name it. */
  checksum: string | null;
}

/** Holds bytes that clients send and read without the service, by signed URLs. */
export interface DirectStore extends AnyStore {
  kind: "direct";
  signUpload(
    key: FileKey,
    expected: ExpectedBytes,
    expiresSeconds: number,
  ): Promise<{ url: string; headers: Record<string, string> }>;
  /** Makes uploaded bytes those of a file, which no URL changes. Returns false if they are not as expected. */
  complete(key: FileKey, expected: ExpectedBytes): Promise<boolean>;
  signDownload(key: FileKey, method: "GET" | "HEAD", headers: { type: string; disposition: string }): Promise<string>;
}

/** Holds the bytes of files. */
export type FileStore = ServedStore | DirectStore;
