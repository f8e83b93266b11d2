import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, bigints, EMPTY, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { Transaction } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { InTransaction, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";

/** What the service knows of a file. */
export interface FileInfo {
  id: string;
  name: string;
  contentType: string;
  size: number;
}

interface NewFile extends FileInfo {
  userId: string | undefined;
  checksum: string | undefined;
}

/** Inserts a file that is to be uploaded. */
export async function insertFile(scope: OrganizationScope, file: NewFile): Promise<void> {
  await scope.run(
    sql`insert into files (organization_key, id, user_id, name, content_type, size, checksum, created_at)
      values (${uuid(scope.key)}, ${text(file.id)}, ${text(file.userId)}, ${text(file.name)},
        ${text(file.contentType)}, ${bigint(file.size)}, ${text(file.checksum)}, ${NOW_MS})`,
  );
}

/** Serializes the adds that count towards one limit, until their transactions end. */
export async function lockAdds(transaction: Transaction, owner: string): Promise<void> {
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${text(`files ${owner}`)}, 0))`);
}

/** Returns the size of the files of an organization, or of those that a user has uploaded. */
export async function selectFileBytes(scope: OrganizationScope, userId?: string): Promise<number> {
  const [row] = await scope.run(
    sql<{ bytes: number }>`select coalesce(sum(size), 0)::bigint as bytes from files
      where organization_key = ${uuid(scope.key)} ${userId === undefined ? EMPTY : sql`and user_id = ${text(userId)}`}`,
  );
  return row?.bytes ?? 0;
}

export interface PendingUpload {
  contentType: string;
  size: number;
  checksum: string | null;
  userId: string | null;
  isUploaded: boolean;
  block: AccessBlock | null;
}

/** Reads the file of an upload. */
export async function selectUpload(scope: StoredOrganization, fileId: string): Promise<PendingUpload | undefined> {
  const [row] = await scope.run(
    sql<PendingUpload>`select content_type as "contentType", size, checksum, user_id as "userId",
        uploaded_at is not null as "isUploaded", ${buildAccessBlock(scope.key)} as block
      from files where organization_key = ${uuid(scope.key)} and id = ${text(fileId)} and removed_at is null`,
  );
  return row;
}

/** Locks a file whose upload is not complete. Returns what the upload must be. */
export async function lockUpload(
  scope: InTransaction<StoredOrganization>,
  fileId: string,
): Promise<Pick<PendingUpload, "contentType" | "size" | "checksum"> | undefined> {
  const [row] = await scope.run(
    sql<Pick<PendingUpload, "contentType" | "size" | "checksum">>`select content_type as "contentType", size, checksum
      from files where organization_key = ${uuid(scope.key)} and id = ${text(fileId)} and uploaded_at is null
        and removed_at is null
      for update`,
  );
  return row;
}

/** Marks a file as uploaded, and locks it. Returns false if it was uploaded meanwhile, or is about to be deleted. */
export async function markUploaded(
  scope: InTransaction<StoredOrganization>,
  fileId: string,
  checksum: string | null,
): Promise<boolean> {
  const rows = await scope.run(
    sql<{ id: string }>`update files set uploaded_at = ${NOW_MS}, checksum = ${text(checksum)}
      where organization_key = ${uuid(scope.key)} and id = ${text(fileId)} and uploaded_at is null
        and removed_at is null
      returning id`,
  );
  return rows.length > 0;
}

/** The record that references a file: a comment, a recording, or a user by the photo. */
export type FileOwner =
  | { annotationSequence: number; commentId: number }
  | { recordingId: string }
  | { photoUserId: string };

export interface FileClaim {
  fileId: string;
  owner: FileOwner;
}

/** The columns of a FileOwner. */
interface OwnerColumns {
  annotationSequence?: number;
  commentId?: number;
  recordingId?: string;
  photoUserId?: string;
}

const OWNER = sql`annotation_sequence, comment_id, recording_id, photo_user_id`;
/** Condition that no record has ever referenced the file. */
export const NEVER_REFERENCED = sql`num_nonnulls(annotation_sequence, recording_id, photo_user_id) = 0`;

/**
 * Makes files belong to the records that reference them. Returns those that are uploaded and that no other record
 * references; a user must have uploaded them, unless the record referenced them before. Locks rows in key order to
 * avoid deadlocks.
 */
export async function claimFiles(
  scope: InTransaction<OrganizationScope>,
  claims: readonly FileClaim[],
  userId: string | undefined,
): Promise<Map<string, FileInfo>> {
  const ids = texts(claims.map(({ fileId }) => fileId));
  const owners: OwnerColumns[] = claims.map(({ owner }) => owner);
  await scope.run(
    sql`select id from files where organization_key = ${uuid(scope.key)} and id = any(${ids}) order by id for update`,
  );
  const rows = await scope.run(
    sql<FileInfo>`update files set annotation_sequence = claim.annotation_sequence, comment_id = claim.comment_id,
        recording_id = claim.recording_id, photo_user_id = claim.photo_user_id
      from unnest(
        ${ids},
        ${bigints(owners.map(({ annotationSequence }) => annotationSequence ?? null))},
        ${bigints(owners.map(({ commentId }) => commentId ?? null))},
        ${texts(owners.map(({ recordingId }) => recordingId ?? null))},
        ${texts(owners.map(({ photoUserId }) => photoUserId ?? null))}
      ) as claim (id, ${OWNER})
      where files.organization_key = ${uuid(scope.key)} and files.id = claim.id and uploaded_at is not null
        and removed_at is null
        and case when num_nonnulls(files.annotation_sequence, files.recording_id, files.photo_user_id) = 0
          then ${text(userId)} is null or files.user_id = ${text(userId)}
          else (files.annotation_sequence, files.comment_id, files.recording_id, files.photo_user_id)
            is not distinct from
            (claim.annotation_sequence, claim.comment_id, claim.recording_id, claim.photo_user_id) end
      returning files.id, name, content_type as "contentType", size`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the condition that a row of files has an owner that exists and has the file's ID in its text. */
export function isReferenced(organizationKey: OrganizationKey): Sql {
  return buildIsReferenced(sql`${uuid(organizationKey)}`);
}

/** Returns the same condition for an expression of the organization's key. */
export function buildIsReferenced(key: Sql): Sql {
  const hasId = (table: Sql) => sql`strpos(${table}.record::text, files.id) > 0`;
  return sql`case
    when annotation_sequence is not null then exists (select 1 from comments
      where comments.organization_key = ${key} and comments.annotation_sequence = files.annotation_sequence
        and comments.id = files.comment_id and ${hasId(sql`comments`)})
    when recording_id is not null then exists (select 1 from recordings
      where recordings.organization_key = ${key} and recordings.id = files.recording_id
        and ${hasId(sql`recordings`)})
    when photo_user_id is not null then exists (select 1 from users
      where users.organization_key = ${key} and users.user_id = files.photo_user_id and ${hasId(sql`users`)})
    else false end`;
}

export interface Download extends FileInfo {
  checksum: string | null;
  block: AccessBlock | null;
}

/** Reads a file that a record references. */
export async function selectDownload(scope: StoredOrganization, fileId: string): Promise<Download | undefined> {
  const key = uuid(scope.key);
  const documentId = sql`coalesce(
    (select comments.document_id from comments where comments.organization_key = ${key}
      and comments.annotation_sequence = files.annotation_sequence and comments.id = files.comment_id),
    (select recordings.document_id from recordings where recordings.organization_key = ${key}
      and recordings.id = files.recording_id))`;
  const [row] = await scope.run(
    sql<Download>`select id, name, content_type as "contentType", size, checksum,
        ${buildAccessBlock(scope.key, documentId)} as block
      from files where organization_key = ${key} and id = ${text(fileId)} and uploaded_at is not null
        and removed_at is null and ${isReferenced(scope.key)}`,
  );
  return row;
}

/** Reads one page of the files that a user has added. */
export const selectFileExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select id, 0 as record_bytes, json_build_object('fileId', id, 'name', name, 'contentType', content_type,
        'size', size, 'checksum', checksum, 'createdAt', created_at) as record
      from files
      where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)} and removed_at is null
    ) as added where true`,
  keys: ["id"],
  keyType: "text",
});
