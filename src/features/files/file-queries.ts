import { bigint, bigints, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import type { InTransaction, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";

/** What the service knows of a file. */
export interface FileFacts {
  id: string;
  name: string;
  contentType: string;
  size: number;
}

interface NewFile extends FileFacts {
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

/** Marks a file as uploaded, and locks it. Returns false if it was uploaded meanwhile, or is about to be deleted. */
export async function markUploaded(
  scope: InTransaction<StoredOrganization>,
  fileId: string,
  checksum: string,
): Promise<boolean> {
  const rows = await scope.run(
    sql<{ id: string }>`update files set uploaded_at = ${NOW_MS}, checksum = ${text(checksum)}
      where organization_key = ${uuid(scope.key)} and id = ${text(fileId)} and uploaded_at is null
        and removed_at is null
      returning id`,
  );
  return rows.length > 0;
}

/** Names of a file by a comment. */
export interface FileClaim {
  fileId: string;
  annotationSequence: number;
  commentId: number;
}

/**
 * Makes files belong to the comments that name them. Returns those that exist and no other record names; a user must
 * have uploaded them, unless the comment named them before. Locks rows in key order to avoid deadlocks.
 */
export async function claimFiles(
  scope: InTransaction<OrganizationScope>,
  claims: readonly FileClaim[],
  userId: string | undefined,
): Promise<Map<string, FileFacts>> {
  const rows = await scope.run(
    sql<FileFacts>`with claim as materialized (
        select * from unnest(
          ${texts(claims.map(({ fileId }) => fileId))},
          ${bigints(claims.map(({ annotationSequence }) => annotationSequence))},
          ${bigints(claims.map(({ commentId }) => commentId))}
        ) as claim (id, annotation_sequence, comment_id)
      ), locked as materialized (
        select id from files
        where organization_key = ${uuid(scope.key)} and id = any(${texts(claims.map(({ fileId }) => fileId))})
        order by id for update
      )
      update files set annotation_sequence = claim.annotation_sequence, comment_id = claim.comment_id
      from claim join locked on locked.id = claim.id
      where files.organization_key = ${uuid(scope.key)} and files.id = claim.id and uploaded_at is not null
        and removed_at is null
        and case when files.annotation_sequence is null
          then ${text(userId)} is null or files.user_id = ${text(userId)}
          else files.annotation_sequence = claim.annotation_sequence and files.comment_id = claim.comment_id end
      returning files.id, name, content_type as "contentType", size`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Removes files of a comment that it no longer names. A job deletes their bytes. */
export async function removeFiles(
  scope: OrganizationScope,
  annotationSequence: number,
  commentId: number,
  fileIds: readonly string[],
): Promise<void> {
  await scope.run(
    sql`update files set removed_at = ${NOW_MS}
      where organization_key = ${uuid(scope.key)} and id = any(${texts([...fileIds])})
        and annotation_sequence = ${bigint(annotationSequence)} and comment_id = ${bigint(commentId)}
        and removed_at is null`,
  );
}

export interface Download extends FileFacts {
  checksum: string;
  block: AccessBlock | null;
}

/** Returns the condition that the record which names a file exists. */
function isNamed(scope: StoredOrganization): Sql {
  return sql`exists (select from comments
    where comments.organization_key = ${uuid(scope.key)} and comments.id = files.comment_id
      and comments.annotation_sequence = files.annotation_sequence)`;
}

/** Reads a file whose record exists. */
export async function selectDownload(scope: StoredOrganization, fileId: string): Promise<Download | undefined> {
  const documentId = sql`(select comments.document_id from comments
    where comments.organization_key = ${uuid(scope.key)} and comments.id = files.comment_id
      and comments.annotation_sequence = files.annotation_sequence)`;
  const [row] = await scope.run(
    sql<Download>`select id, name, content_type as "contentType", size, checksum,
        ${buildAccessBlock(scope.key, documentId)} as block
      from files where organization_key = ${uuid(scope.key)} and id = ${text(fileId)} and uploaded_at is not null
        and removed_at is null and ${isNamed(scope)}`,
  );
  return row;
}
