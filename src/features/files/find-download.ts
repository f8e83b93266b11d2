import { ServiceError } from "../../contract/errors.ts";
import type { FileRef } from "../../contract/file-links.ts";
import type { Queryable } from "../../database/statement.ts";
import type { FileStore, StoredBytes } from "../../files/file-store.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";
import { type FileInfo, selectDownload } from "./file-queries.ts";

interface Dependencies {
  database: Queryable;
  store: FileStore;
}

export interface FoundFile extends FileInfo {
  /** SHA-256 in hexadecimal digits; null if nobody knows it. */
  checksum: string | null;
  /** The bytes, or the function that returns a URL from which they are read without the service. */
  bytes: StoredBytes | ((method: "GET" | "HEAD", headers: { type: string; disposition: string }) => Promise<string>);
}

/** Opens a file. Throws NOT_FOUND unless it is uploaded, and the record that references it exists and can be read. */
export async function findDownload(
  { database, store }: Dependencies,
  { organizationKey, fileId }: FileRef,
): Promise<FoundFile> {
  const key = { organizationKey, fileId };
  const found = await selectDownload(storedOrganization(database, organizationKey), fileId);
  if (!found || found.block !== null) throw fileNotFound();
  if (store.kind === "direct") {
    return { ...found, bytes: (method, headers) => store.signDownload(key, method, headers) };
  }
  const bytes = await store.open(key);
  if (!bytes) throw fileNotFound();
  return { ...found, bytes };
}

function fileNotFound(): ServiceError {
  return new ServiceError("not_found", "The file does not exist.");
}
