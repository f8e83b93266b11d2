import { ServiceError } from "../../contract/errors.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { claimFiles, type FileClaim, type FileInfo, type FileOwner } from "./file-queries.ts";

/** A record with attachments, of which some reference files. */
export interface WithAttachments {
  attachments?: object[];
}

/** A record, and who owns the files that it references. */
export interface OwningRecord<Stored extends WithAttachments> {
  owner: FileOwner;
  record: Stored;
}

/** Returns the IDs of the files that attachments reference. */
export function getFileIds({ attachments = [] }: WithAttachments): string[] {
  return attachments.flatMap((attachment) => {
    const fileId = getFileId(attachment);
    return fileId === undefined ? [] : [fileId];
  });
}

/** Returns the ID of the file that an attachment references. No file has an ID that is not sent as a text. */
function getFileId(attachment: { fileId?: unknown }): string | undefined {
  const { fileId } = attachment;
  return fileId === undefined || typeof fileId === "string" ? fileId : JSON.stringify(fileId);
}

/**
 * Makes the files that records reference belong to them. Returns the records with what the service knows of the files.
 * Throws NOT_FOUND if a file does not exist, is not uploaded, belongs to another record, or is another user's.
 */
export async function referenceFiles<Stored extends WithAttachments>(
  scope: InTransaction<OrganizationScope>,
  records: readonly OwningRecord<Stored>[],
  userId: string | undefined,
): Promise<Stored[]> {
  const claims = records.flatMap(({ record, owner }) => getFileIds(record).map((fileId) => ({ owner, fileId })));
  const found = await claimAll(scope, claims, userId);
  return records.map(({ record }) => withFileInfo(record, found));
}

/** A user, whose photo may be a file. */
interface WithPhoto {
  userId: string;
  photoUrl?: string;
  photoUrlExpiresAt?: unknown;
  photoFileId?: string;
}

/** Makes the photos of users belong to them. Returns the users, each with an address or a file at most. */
export async function referencePhotos<Stored extends WithPhoto>(
  scope: InTransaction<OrganizationScope>,
  users: readonly Stored[],
): Promise<Stored[]> {
  const claims = users.flatMap(({ userId, photoFileId: fileId }) => {
    return fileId === undefined ? [] : [{ fileId, owner: { photoUserId: userId } }];
  });
  await claimAll(scope, claims, undefined);
  return users.map((user) => {
    const sent = { ...user, photoUrlExpiresAt: undefined };
    if (user.photoFileId !== undefined) return { ...sent, photoUrl: undefined };
    return user.photoUrl === undefined ? sent : { ...sent, photoFileId: undefined };
  });
}

/** Claims files. Throws NOT_FOUND if one cannot be, or is claimed twice. */
async function claimAll(
  scope: InTransaction<OrganizationScope>,
  claims: readonly FileClaim[],
  userId: string | undefined,
): Promise<Map<string, FileInfo>> {
  if (claims.length === 0) return new Map();
  const found = await claimFiles(scope, claims, userId);
  const claimed = new Set<string>();
  for (const { fileId } of claims) {
    if (!found.has(fileId) || claimed.has(fileId)) throw fileNotFound(fileId);
    claimed.add(fileId);
  }
  return found;
}

function withFileInfo<Stored extends WithAttachments>(record: Stored, found: Map<string, FileInfo>): Stored {
  const attachments = record.attachments?.map((attachment) => {
    const info = found.get(getFileId(attachment) ?? "");
    if (!info) return attachment;
    const { url: _, urlExpiresAt: __, ...sent }: { url?: unknown; urlExpiresAt?: unknown } = attachment;
    return { ...sent, fileId: info.id, name: info.name, mimeType: info.contentType, size: info.size };
  });
  return { ...record, ...(attachments && { attachments }) };
}

function fileNotFound(fileId: string): ServiceError {
  const which = `File ${JSON.stringify(fileId)} not found`;
  return new ServiceError(
    "not_found",
    `${which}: the caller must have uploaded it, and no other record may reference it.`,
  );
}
