import { ServiceError, unavailable } from "../../contract/errors.ts";
import type { FileRef } from "../../contract/file-links.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import type { FileKey, PartialFile, ServedStore } from "../../files/file-store.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { storedOrganization } from "../tenancy/organization-scope.ts";
import { markUploaded, type PendingUpload, selectUpload } from "./file-queries.ts";

/** The request that uploads a file. */
export interface UploadRequest {
  contentType: string | undefined;
  /** Value of the Content-Length header; undefined if there is none, such as behind a proxy that sends chunks. */
  contentLength: number | undefined;
  /** Passes all bytes on, each part once the one before is taken. */
  read(expected: PendingUpload, take: (chunk: Uint8Array) => Promise<void>): Promise<void>;
}

interface Dependencies {
  database: TransactionalQueryable;
  store: ServedStore;
}

/** Receives the bytes of a file. Of several uploads at the same time, the first that is complete counts. */
export async function receiveUpload(
  { database, store }: Dependencies,
  { organizationKey, fileId }: FileRef,
  request: UploadRequest,
): Promise<void> {
  const expected = await selectUpload(storedOrganization(database, organizationKey), fileId);
  if (!expected) throw new ServiceError("not_found", "The file does not exist any more. Call /v2/files/add again.");
  assertAccessible(expected.block, "of the file");
  if (expected.isUploaded) throw alreadyUploaded();
  assertHeaders(expected, request);
  const partial = await store.begin().catch(rethrowStorageFull);
  try {
    let received = 0;
    await request.read(expected, async (chunk) => {
      received += chunk.length;
      if (received > expected.size) throw mismatch(`The body has more than ${expected.size} bytes.`);
      await partial.write(chunk).catch(rethrowStorageFull);
    });
    const { bytes, checksum } = await partial.finish().catch(rethrowStorageFull);
    if (bytes !== expected.size) throw mismatch(`The body has ${bytes} bytes instead of ${expected.size}.`);
    if (checksum !== (expected.checksum ?? checksum))
      throw mismatch("The SHA-256 of the bytes differs from the `checksum`.");
    // The row stays locked until its bytes are in place, so that nobody references a file without bytes, and no other
    // upload of the same file replaces them.
    await database.transaction(async (transaction) => {
      const isFirst = await markUploaded(storedOrganization(transaction, organizationKey), fileId, checksum);
      if (!isFirst) throw alreadyUploaded();
      await keep(partial, { organizationKey, fileId });
    });
  } finally {
    await partial.discard();
  }
}

function keep(partial: PartialFile, key: FileKey): Promise<void> {
  return partial.keep(key).catch(rethrowStorageFull);
}

function assertHeaders({ contentType, size }: PendingUpload, request: UploadRequest): void {
  if ((request.contentLength ?? size) !== size) {
    throw mismatch(`The Content-Length must be ${size}, the \`size\` that was sent to /v2/files/add.`);
  }
  if (normalizeType(request.contentType) !== normalizeType(contentType)) {
    throw mismatch(`The Content-Type must be ${contentType}, as it was sent to /v2/files/add.`);
  }
}

function normalizeType(contentType = ""): string {
  return contentType.replaceAll(" ", "").toLowerCase();
}

function mismatch(message: string): ServiceError {
  return new ServiceError("upload_mismatch", message);
}

function alreadyUploaded(): ServiceError {
  return new ServiceError("already_exists", "The file was uploaded already and was not changed.");
}

/** Throws UNAVAILABLE if the disk is full, and other errors as they are. */
function rethrowStorageFull(error: unknown): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
  throw unavailable("storage_full", "The storage of files is full.", { cause: error });
}
