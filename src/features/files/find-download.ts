import { ServiceError } from "../../contract/errors.ts";
import type { FileRef } from "../../contract/file-links.ts";
import type { Queryable } from "../../database/statement.ts";
import type { FileStore, StoredBytes } from "../../files/file-store.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";
import { type FileFacts, selectDownload } from "./file-queries.ts";

interface Dependencies {
  database: Queryable;
  store: FileStore;
}

export interface FoundFile extends FileFacts {
  /** SHA-256 in hexadecimal digits. */
  checksum: string;
  bytes: StoredBytes;
}

/** Opens a file. Throws NOT_FOUND unless it is uploaded, and the record that names it exists and can be read. */
export async function findDownload(
  { database, store }: Dependencies,
  { organizationKey, fileId }: FileRef,
): Promise<FoundFile> {
  const found = await selectDownload(storedOrganization(database, organizationKey), fileId);
  const bytes = found && found.block === null ? await store.open({ organizationKey, fileId }) : undefined;
  if (!found || !bytes) throw new ServiceError("not_found", "The file does not exist.");
  return { ...found, bytes };
}
