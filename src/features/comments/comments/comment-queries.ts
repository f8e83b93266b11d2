import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, bigints, boolean, booleans, EMPTY, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import type { AccessOrganization, AccessUser } from "../../access/access-queries.ts";
import { isAnnotationVisible } from "../../access/visibility-queries.ts";
import type { OrganizationScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromOrganization } from "../../tenancy/tenancy-queries.ts";
import { serializeComment } from "../serialized-comment-queries.ts";
import { COMMENT_OVERHEAD_BYTES } from "./comment-refresh-queries.ts";

// Each of the writes works on annotations that the transaction has locked or inserted.

/** Columns that repeat fields of the record, and the record. */
interface CommentColumns {
  userId: string;
  taggedUserIds: string[];
  hasAttachments: boolean;
  hasTaggedUsers: boolean;
  hasAgent: boolean;
  /** The JSON text of the fields as sent. */
  record: string;
}

export interface CommentRow extends CommentColumns {
  annotationSequence: number;
  id: number;
  /** Milliseconds since the epoch. */
  datedAt: number;
  /** ISO 8601. */
  lastUpdated: string;
  isTextAvailable: boolean;
  isUpdated: boolean;
}

/** Returns lists of the columns for `unnest`, in the order of COLUMN_NAMES. */
function columnLists(rows: CommentColumns[]): Sql {
  return sql`${texts(rows.map(({ userId }) => userId))},
    ${texts(rows.map(({ taggedUserIds }) => JSON.stringify(taggedUserIds)))},
    ${booleans(rows.map(({ hasAttachments }) => hasAttachments))},
    ${booleans(rows.map(({ hasTaggedUsers }) => hasTaggedUsers))},
    ${booleans(rows.map(({ hasAgent }) => hasAgent))},
    ${texts(rows.map(({ record }) => record))}`;
}

const COLUMN_NAMES = sql`user_id, tagged, has_attachments, has_tagged_users, has_agent, record`;

/**
 * Inserts comments in the order given. Their authors become participants who have read up to there; tagged users become
 * mentioned. Returns the size of the largest annotation in bytes.
 */
export async function insertComments(
  scope: OrganizationScope,
  rows: CommentRow[],
  nowMs: number,
  { isNew }: { isNew: boolean },
): Promise<number> {
  const organization = uuid(scope.key);
  const namedUsers = sql`(
      select annotation_sequence, 'participant' as role, user_id, document_id, created_at, written_at from input
      union
      select annotation_sequence, 'mentioned', json_array_elements_text(tagged::json), document_id, created_at,
        written_at
      from input
    ) as named`;
  const authors = sql`(
      select annotation_sequence, user_id, max(sequence) as latest_comment, document_id, written_at
      from input group by annotation_sequence, user_id, document_id, written_at
    ) as author`;
  const written = await scope.run(
    sql<{ bytes: number }>`with input as materialized (
        select comment.*, annotation.document_id, annotation.created_at, annotation.written_at,
          nextval('comment_sequence') as sequence
        from unnest(
          ${bigints(rows.map(({ annotationSequence }) => annotationSequence))},
          ${bigints(rows.map(({ id }) => id))},
          ${bigints(rows.map(({ datedAt }) => datedAt))},
          ${texts(rows.map(({ lastUpdated }) => lastUpdated))},
          ${booleans(rows.map(({ isTextAvailable }) => isTextAvailable))},
          ${booleans(rows.map(({ isUpdated }) => isUpdated))},
          ${columnLists(rows)}
        ) with ordinality as comment (annotation_sequence, id, dated_at, last_updated, is_text_available, is_updated,
          ${COLUMN_NAMES}, place)
        join comment_annotations annotation on annotation.organization_key = ${organization}
          and annotation.sequence = comment.annotation_sequence
        order by place
      ), new_comment as (
        insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at, created_at,
          dated_at, last_updated, is_text_available, is_updated, user_id, tagged_user_ids, has_attachments,
          has_tagged_users, has_agent, record, record_bytes)
        select organization_key, annotation_sequence, id, sequence, document_id, written_at, ${bigint(nowMs)},
          dated_at, last_updated, is_text_available, is_updated, user_id,
          array(select json_array_elements_text(tagged::json)), has_attachments, has_tagged_users, has_agent,
          record::json, octet_length(record)
        ${fromOrganization(scope.key, sql`input`)}
      ), new_user as (
        insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
          written_at)
        select organization_key, annotation_sequence, role, user_id, document_id, created_at, written_at
        ${fromOrganization(scope.key, namedUsers)}
        on conflict do nothing
      ), reading as (
        insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
          written_at)
        select organization_key, annotation_sequence, user_id, latest_comment, ${bigint(nowMs)}, document_id, written_at
        ${fromOrganization(scope.key, authors)}
        on conflict (organization_key, annotation_sequence, user_id) do update
          set latest_comment = excluded.latest_comment, read_at = excluded.read_at
      )
      update comment_annotations annotation set
        updated_at = ${isNew ? sql`updated_at` : bigint(nowMs)}, latest_comment = total.sequence,
        last_comment_id = greatest(last_comment_id, total.id), record_bytes = record_bytes + total.bytes
      from (
        select annotation_sequence, max(sequence) as sequence, max(id) as id,
          sum(octet_length(record) + ${COMMENT_OVERHEAD_BYTES})::int as bytes
        from input group by annotation_sequence
      ) as total
      where annotation.organization_key = ${organization} and annotation.sequence = total.annotation_sequence
      returning record_bytes as bytes`,
  );
  return Math.max(0, ...written.map(({ bytes }) => bytes));
}

/** Returns the smallest of the given ids that a locked annotation already has. */
export async function selectExistingId(
  scope: OrganizationScope,
  annotationSequence: number,
  givenIds: number[],
): Promise<number | undefined> {
  if (givenIds.length === 0) return undefined;
  const [row] = await scope.run(
    sql<{ id: number }>`select id from comments
      where ${isOfAnnotation(scope.key, annotationSequence)} and id = any(${bigints(givenIds)})
      order by id limit 1`,
  );
  return row?.id;
}

export interface CommentFilters {
  documentId: string;
  annotationId: string;
  commentIds?: number[] | undefined;
  /** User ids of authors. */
  userIds?: string[] | undefined;
  /** User who must be allowed to see the annotation. */
  seenBy: AccessUser | undefined;
}

/**
 * Reads the matching comments of an annotation as JSON texts, oldest first, joined by commas. `existing` is the number
 * of comments with one of the ids, whether they match or not.
 */
export async function selectComments(
  scope: AccessOrganization,
  { documentId, annotationId, commentIds, userIds, seenBy }: CommentFilters,
): Promise<{ records: string; existing: number; block: AccessBlock | null }> {
  const key = uuid(scope.key);
  const isVisible = seenBy
    ? sql`and ${isAnnotationVisible({ organization: scope, user: seenBy }, "annotation")}`
    : EMPTY;
  const isAuthor = userIds ? sql`comment.user_id = any(${texts(userIds)})` : sql`true`;
  const [row] = await scope.run(
    sql<{ records: string | null; existing: number; block: AccessBlock | null }>`select
        ${buildAccessBlock(scope.key, documentId)} as block,
        string_agg(serialized, ',') as records, count(id)::int as existing
      from (
        select comment.id, case when ${isAuthor}
          then ${serializeComment(scope.key, sql`to_json(annotation.id)::text`)} end as serialized
        from comment_annotations annotation
        join comments comment on comment.organization_key = ${key} and comment.annotation_sequence = annotation.sequence
        where annotation.organization_key = ${key} and annotation.document_id = ${text(documentId)}
          and annotation.id = ${text(annotationId)} ${isVisible}
          ${commentIds ? sql`and comment.id = any(${bigints(commentIds)})` : EMPTY}
        order by comment.dated_at, comment.sequence
      ) as in_order`,
  );
  return { records: row?.records ?? "", existing: row?.existing ?? 0, block: row?.block ?? null };
}

/** Returns the condition on what belongs to one annotation. */
function isOfAnnotation(organizationKey: OrganizationKey, annotationSequence: number): Sql {
  return sql`organization_key = ${uuid(organizationKey)} and annotation_sequence = ${bigint(annotationSequence)}`;
}

/** Returns the condition that a column has one of the IDs, if there are any. */
function isNamed(commentIds: number[] | undefined, column = sql`id`): Sql {
  return commentIds ? sql`and ${column} = any(${bigints(commentIds)})` : EMPTY;
}

/** Returns the records of comments by id. */
export async function selectRecords(
  scope: OrganizationScope,
  annotationSequence: number,
  commentIds: number[],
): Promise<Map<number, string>> {
  const rows = await scope.run(
    sql<{ id: number; record: string }>`select id, record::text as record from comments
      where ${isOfAnnotation(scope.key, annotationSequence)} and id = any(${bigints(commentIds)})`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Returns the IDs and authors of the named comments, or of all in the annotation. */
export async function selectCommentAuthors(
  scope: OrganizationScope,
  annotationSequence: number,
  commentIds: number[] | undefined,
): Promise<[id: number, { authorId: string }][]> {
  const rows = await scope.run(
    sql<{ id: number; authorId: string }>`select id, user_id as "authorId" from comments
      where ${isOfAnnotation(scope.key, annotationSequence)} ${isNamed(commentIds)}
      order by id`,
  );
  return rows.map(({ id, authorId }) => [id, { authorId }]);
}

/** Replaces the records of comments and the columns that repeat their fields. */
export async function replaceComments(
  scope: StoredOrganization,
  rows: (CommentColumns & { annotationSequence: number; id: number })[],
): Promise<void> {
  await scope.run(
    sql`update comments set record = merged.record::json, record_bytes = octet_length(merged.record),
        user_id = merged.user_id, tagged_user_ids = array(select json_array_elements_text(merged.tagged::json)),
        has_attachments = merged.has_attachments, has_tagged_users = merged.has_tagged_users,
        has_agent = merged.has_agent
      from unnest(
        ${bigints(rows.map(({ annotationSequence }) => annotationSequence))},
        ${bigints(rows.map(({ id }) => id))},
        ${columnLists(rows)}
      ) as merged (annotation_sequence, id, ${COLUMN_NAMES})
      where comments.organization_key = ${uuid(scope.key)}
        and comments.annotation_sequence = merged.annotation_sequence and comments.id = merged.id`,
  );
}

/** Marks comments of an annotation as updated. What is undefined stays. */
export async function markUpdated(
  scope: OrganizationScope,
  annotationSequence: number,
  commentIds: number[],
  set: { datedAt: number | undefined; lastUpdated: string; isTextAvailable: boolean | undefined },
): Promise<void> {
  await scope.run(
    sql`update comments set is_updated = true, last_updated = ${text(set.lastUpdated)},
        dated_at = coalesce(${bigint(set.datedAt ?? null)}, dated_at),
        is_text_available = coalesce(${boolean(set.isTextAvailable ?? null)}, is_text_available)
      where ${isOfAnnotation(scope.key, annotationSequence)} and id = any(${bigints(commentIds)})`,
  );
}

/** Deletes the named comments, or all of the annotation, with their reactions. Returns the ids of those deleted. */
export async function deleteCommentRows(
  scope: OrganizationScope,
  annotationSequence: number,
  commentIds: number[] | undefined,
): Promise<Set<number>> {
  const isOwn = isOfAnnotation(scope.key, annotationSequence);
  const rows = await scope.run(
    sql<{ id: number }>`with reaction as (
        delete from comment_reactions where ${isOwn} ${isNamed(commentIds, sql`comment_id`)}
      )
      delete from comments where ${isOwn} ${isNamed(commentIds)}
      returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the ids of all comments of annotations, by the annotation's sequence. */
export async function selectCommentIds(
  scope: OrganizationScope,
  annotationSequences: number[],
): Promise<Map<number, number[]>> {
  const rows = await scope.run(
    sql<{ sequence: number; ids: number[] }>`select annotation_sequence as sequence, array_agg(id order by id) as ids
      from comments
      where organization_key = ${uuid(scope.key)} and annotation_sequence = any(${bigints(annotationSequences)})
      group by annotation_sequence`,
  );
  return new Map(rows.map(({ sequence, ids }) => [sequence, ids]));
}
