import { bigint, bigints, EMPTY, integer, type Sql, sql, text, texts, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { type AccessBlock, accessBlock } from "../../tenancy/queries.ts";

// Each of the writes works on annotations that the transaction has locked or inserted.

export interface CommentRow {
  organizationKey: string;
  annotationSequence: number;
  id: number;
  userId: string;
  taggedUserIds: string[];
  /** The JSON text as it is answered. */
  record: string;
}

/**
 * Inserts comments in the order given. Their authors become participants who have read up to there; tagged users become
 * mentioned. Returns the size of the largest annotation in bytes.
 */
export async function insertComments(transaction: Queryable, rows: CommentRow[], nowMs: number): Promise<number> {
  const written = await transaction.run(
    sql<{ bytes: number }>`with input as materialized (
        select comment.*, annotation.document_id, annotation.created_at, annotation.written_at,
          nextval('comment_sequence') as sequence
        from unnest(
          ${uuids(rows.map(({ organizationKey }) => organizationKey))},
          ${bigints(rows.map(({ annotationSequence }) => annotationSequence))},
          ${bigints(rows.map(({ id }) => id))},
          ${texts(rows.map(({ userId }) => userId))},
          ${texts(rows.map(({ taggedUserIds }) => JSON.stringify(taggedUserIds)))},
          ${texts(rows.map(({ record }) => record))}
        ) with ordinality as comment (organization_key, annotation_sequence, id, user_id, tagged, record, place)
        join comment_annotations annotation on annotation.organization_key = comment.organization_key
          and annotation.sequence = comment.annotation_sequence
        order by place
      ), new_comment as (
        insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at, created_at,
          user_id, tagged_user_ids, record, record_bytes)
        select organization_key, annotation_sequence, id, sequence, document_id, written_at, ${bigint(nowMs)}, user_id,
          array(select json_array_elements_text(tagged::json)), record::json, octet_length(record)
        from input
      ), new_user as (
        insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
          written_at)
        select organization_key, annotation_sequence, 'participant', user_id, document_id, created_at, written_at
        from input
        union
        select organization_key, annotation_sequence, 'mentioned', json_array_elements_text(tagged::json), document_id,
          created_at, written_at
        from input
        on conflict do nothing
      ), reading as (
        insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
          written_at)
        select organization_key, annotation_sequence, user_id, max(sequence), ${bigint(nowMs)}, document_id, written_at
        from input group by organization_key, annotation_sequence, user_id, document_id, written_at
        on conflict (organization_key, annotation_sequence, user_id) do update
          set latest_comment = excluded.latest_comment, read_at = excluded.read_at
      )
      update comment_annotations annotation set updated_at = ${bigint(nowMs)}, latest_comment = total.sequence,
        last_comment_id = greatest(last_comment_id, total.id), record_bytes = record_bytes + total.bytes
      from (
        select organization_key, annotation_sequence, max(sequence) as sequence, max(id) as id,
          sum(octet_length(record) + 1)::int as bytes
        from input group by organization_key, annotation_sequence
      ) as total
      where annotation.organization_key = total.organization_key and annotation.sequence = total.annotation_sequence
      returning record_bytes as bytes`,
  );
  return Math.max(0, ...written.map(({ bytes }) => bytes));
}

/** Returns the smallest of the given ids that each locked annotation already has, by the annotation's sequence. */
export async function selectExistingIds(
  transaction: Queryable,
  given: { organizationKey: string; annotationSequence: number; id: number }[],
): Promise<Map<number, number>> {
  const rows = await transaction.run(
    sql<{ sequence: number; id: number }>`select annotation_sequence as sequence, min(id) as id
      from unnest(
        ${uuids(given.map(({ organizationKey }) => organizationKey))},
        ${bigints(given.map(({ annotationSequence }) => annotationSequence))},
        ${bigints(given.map(({ id }) => id))}
      ) as input (organization_key, annotation_sequence, id)
      join comments using (organization_key, annotation_sequence, id)
      group by annotation_sequence`,
  );
  return new Map(rows.map(({ sequence, id }) => [sequence, id]));
}

export interface CommentFilters {
  documentId: string;
  annotationId: string;
  commentIds?: number[] | undefined;
  /** User ids of authors. */
  userIds?: string[] | undefined;
}

/** Reads the matching comments of an annotation as the text of a JSON array, oldest first. */
export async function selectComments(
  database: Queryable,
  organizationKey: string,
  { documentId, annotationId, commentIds, userIds }: CommentFilters,
): Promise<{ records: string; block: AccessBlock | null }> {
  const key = uuid(organizationKey);
  const [row] = await database.run(
    sql<{ records: string | null; block: AccessBlock | null }>`select ${accessBlock(organizationKey)} as block, (
        select string_agg(comment.record::text, ',' order by comment.sequence)
        from comment_annotations annotation
        join comments comment on comment.organization_key = ${key} and comment.annotation_sequence = annotation.sequence
        where annotation.organization_key = ${key} and annotation.document_id = ${text(documentId)}
          and annotation.id = ${text(annotationId)}
          ${commentIds ? sql`and comment.id = any(${bigints(commentIds)})` : EMPTY}
          ${userIds ? sql`and comment.user_id = any(${texts(userIds)})` : EMPTY}
      ) as records`,
  );
  return { records: `[${row?.records ?? ""}]`, block: row?.block ?? null };
}

/** Returns the condition on what belongs to one annotation. */
function isOfAnnotation(organizationKey: string, annotationSequence: number): Sql {
  return sql`organization_key = ${uuid(organizationKey)} and annotation_sequence = ${bigint(annotationSequence)}`;
}

/** Returns the records of comments by id. */
export async function selectRecords(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  commentIds: number[],
): Promise<Map<number, string>> {
  const rows = await transaction.run(
    sql<{ id: number; record: string }>`select id, record::text as record from comments
      where ${isOfAnnotation(organizationKey, annotationSequence)} and id = any(${bigints(commentIds)})`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

export async function replaceComments(
  transaction: Queryable,
  organizationKey: string,
  rows: Omit<CommentRow, "organizationKey" | "userId">[],
): Promise<void> {
  await transaction.run(
    sql`update comments set record = merged.record::json, record_bytes = octet_length(merged.record),
        tagged_user_ids = array(select json_array_elements_text(merged.tagged::json))
      from unnest(
        ${bigints(rows.map(({ annotationSequence }) => annotationSequence))},
        ${bigints(rows.map(({ id }) => id))},
        ${texts(rows.map(({ taggedUserIds }) => JSON.stringify(taggedUserIds)))},
        ${texts(rows.map(({ record }) => record))}
      ) as merged (annotation_sequence, id, tagged, record)
      where comments.organization_key = ${uuid(organizationKey)}
        and comments.annotation_sequence = merged.annotation_sequence and comments.id = merged.id`,
  );
}

/** Deletes the named comments, or all of the annotation, with their reactions. Returns the ids of those deleted. */
export async function deleteCommentRows(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  commentIds: number[] | undefined,
): Promise<Set<number>> {
  const isOwn = isOfAnnotation(organizationKey, annotationSequence);
  const rows = await transaction.run(
    sql<{ id: number }>`with reaction as (
        delete from comment_reactions
        where ${isOwn} ${commentIds ? sql`and comment_id = any(${bigints(commentIds)})` : EMPTY}
      )
      delete from comments where ${isOwn} ${commentIds ? sql`and id = any(${bigints(commentIds)})` : EMPTY}
      returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Updates time and size after a change that concerns no participant or mentioned user. Returns the new size. */
export async function touchAnnotation(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  addedBytes: number,
): Promise<number> {
  const [row] = await transaction.run(
    sql<{ bytes: number }>`update comment_annotations set updated_at = ${NOW_MS},
        record_bytes = record_bytes + ${integer(addedBytes)}
      where organization_key = ${uuid(organizationKey)} and sequence = ${bigint(annotationSequence)}
      returning record_bytes as bytes`,
  );
  return row?.bytes ?? 0;
}

/**
 * Derives participants, mentioned users, the newest comment and the size from the comments of annotations, after these
 * have changed. Returns the size of the largest annotation in bytes.
 */
export async function refreshAnnotations(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<number> {
  const key = uuid(organizationKey);
  const isOwn = sql`organization_key = ${key} and annotation_sequence = any(${bigints(sequences)})`;
  const rows = await transaction.run(
    sql<{ bytes: number }>`with annotation as (
        select * from comment_annotations where organization_key = ${key} and sequence = any(${bigints(sequences)})
      ), comment as materialized (
        select annotation_sequence, sequence, user_id, tagged_user_ids, record_bytes from comments where ${isOwn}
      ), named as materialized (
        select sequence as annotation_sequence, 'participant' as role, user_id from annotation where user_id <> ''
        union select annotation_sequence, 'participant', user_id from comment
        union select annotation_sequence, 'mentioned', unnest(tagged_user_ids) from comment
      ), left_out as (
        delete from comment_users where ${isOwn}
          and (annotation_sequence, role, user_id) not in (select annotation_sequence, role, user_id from named)
      ), new_user as (
        insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
          written_at)
        select ${key}, annotation_sequence, role, named.user_id, document_id, created_at, written_at
        from named join annotation on annotation.sequence = named.annotation_sequence
        on conflict do nothing
      )
      update comment_annotations refreshed set
        updated_at = ${NOW_MS},
        latest_comment = coalesce(total.latest, 0),
        record_bytes = octet_length(refreshed.record::text) + coalesce(total.bytes, 0)
      from annotation left join (
        select annotation_sequence, max(sequence) as latest, sum(record_bytes + 1) as bytes
        from comment group by annotation_sequence
      ) as total on total.annotation_sequence = annotation.sequence
      where refreshed.organization_key = ${key} and refreshed.sequence = annotation.sequence
      returning refreshed.record_bytes as bytes`,
  );
  return Math.max(0, ...rows.map(({ bytes }) => bytes));
}
