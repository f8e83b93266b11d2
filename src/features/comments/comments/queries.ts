import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../../tenancy/queries.ts";

/** Each of these works on annotations that the transaction has locked or made. */
export interface CommentRow {
  organizationKey: string;
  annotationSequence: number;
  id: number;
  userId: string;
  taggedUserIds: string[];
  /** The JSON text that will be sent. */
  record: string;
}

/**
 * Writes new comments, in the order given. Their authors take part from then on and have read up to there; those who
 * are tagged are mentioned. Returns the bytes of the largest annotation.
 */
export async function insertComments(transaction: Queryable, rows: CommentRow[], nowMs: number): Promise<number> {
  const { rows: written } = await transaction.query<{ bytes: number }>(
    `with given as materialized (
       select comment.*, annotation.document_id, annotation.created_at, annotation.written_at,
         nextval('comment_sequence') as sequence
       from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
         with ordinality as comment (organization_key, annotation_sequence, id, user_id, tagged, record, place)
       join comment_annotations annotation on annotation.organization_key = comment.organization_key
         and annotation.sequence = comment.annotation_sequence
       order by place
     ), new_comment as (
       insert into comments (organization_key, annotation_sequence, id, sequence, document_id, written_at, created_at,
         user_id, tagged_user_ids, record, record_bytes)
       select organization_key, annotation_sequence, id, sequence, document_id, written_at, $7, user_id,
         array(select json_array_elements_text(tagged::json)), record::json, octet_length(record)
       from given
     ), new_user as (
       insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
         written_at)
       select organization_key, annotation_sequence, 'participant', user_id, document_id, created_at, written_at
       from given
       union
       select organization_key, annotation_sequence, 'mentioned', json_array_elements_text(tagged::json), document_id,
         created_at, written_at
       from given
       on conflict do nothing
     ), reading as (
       insert into comment_reads (organization_key, annotation_sequence, user_id, latest_comment, read_at, document_id,
         written_at)
       select organization_key, annotation_sequence, user_id, max(sequence), $7, document_id, written_at
       from given group by organization_key, annotation_sequence, user_id, document_id, written_at
       on conflict (organization_key, annotation_sequence, user_id) do update
         set latest_comment = excluded.latest_comment, read_at = excluded.read_at
     )
     update comment_annotations annotation set updated_at = $7, latest_comment = total.sequence,
       last_comment_id = greatest(last_comment_id, total.id), record_bytes = record_bytes + total.bytes
     from (
       select organization_key, annotation_sequence, max(sequence) as sequence, max(id) as id,
         sum(octet_length(record) + 1)::int as bytes
       from given group by organization_key, annotation_sequence
     ) as total
     where annotation.organization_key = total.organization_key and annotation.sequence = total.annotation_sequence
     returning record_bytes as bytes`,
    [
      rows.map(({ organizationKey }) => organizationKey),
      rows.map(({ annotationSequence }) => annotationSequence),
      rows.map(({ id }) => id),
      rows.map(({ userId }) => userId),
      rows.map(({ taggedUserIds }) => JSON.stringify(taggedUserIds)),
      rows.map(({ record }) => record),
      nowMs,
    ],
  );
  return Math.max(0, ...written.map(({ bytes }) => bytes));
}

/** By the annotation's sequence, the smallest of the ids given that a locked annotation has already. */
export async function selectExistingIds(
  transaction: Queryable,
  given: { organizationKey: string; annotationSequence: number; id: number }[],
): Promise<Map<number, number>> {
  const { rows } = await transaction.query<{ sequence: number; id: number }>(
    `select annotation_sequence as sequence, min(id) as id
     from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as given (organization_key, annotation_sequence, id)
     join comments using (organization_key, annotation_sequence, id)
     group by annotation_sequence`,
    [
      given.map(({ organizationKey }) => organizationKey),
      given.map(({ annotationSequence }) => annotationSequence),
      given.map(({ id }) => id),
    ],
  );
  return new Map(rows.map(({ sequence, id }) => [sequence, id]));
}

export interface CommentFilters {
  documentId: string;
  annotationId: string;
  commentIds?: number[] | undefined;
  /** Of authors. */
  userIds?: string[] | undefined;
}

/** The text of a JSON array, oldest first. */
export async function selectComments(
  database: Queryable,
  organizationKey: string,
  { documentId, annotationId, commentIds, userIds }: CommentFilters,
): Promise<{ records: string; block: AccessBlock | null }> {
  const { rows } = await database.query<{ records: string | null; block: AccessBlock | null }>(
    `select ${ACCESS_BLOCK} as block, (
       select string_agg(comment.record::text, ',' order by comment.sequence)
       from comment_annotations annotation
       join comments comment on comment.organization_key = $1 and comment.annotation_sequence = annotation.sequence
       where annotation.organization_key = $1 and annotation.document_id = $2 and annotation.id = $3
         and ($4::bigint[] is null or comment.id = any($4)) and ($5::text[] is null or comment.user_id = any($5))
     ) as records`,
    [organizationKey, documentId, annotationId, commentIds ?? null, userIds ?? null],
  );
  return { records: `[${rows[0]?.records ?? ""}]`, block: rows[0]?.block ?? null };
}

/** Records by id. */
export async function selectRecords(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  commentIds: number[],
): Promise<Map<number, string>> {
  const { rows } = await transaction.query<{ id: number; record: string }>(
    `select id, record::text as record from comments
     where organization_key = $1 and annotation_sequence = $2 and id = any($3)`,
    [organizationKey, annotationSequence, commentIds],
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

export async function replaceComments(
  transaction: Queryable,
  organizationKey: string,
  rows: Omit<CommentRow, "organizationKey" | "userId">[],
): Promise<void> {
  await transaction.query(
    `update comments set record = merged.record::json, record_bytes = octet_length(merged.record),
       tagged_user_ids = array(select json_array_elements_text(merged.tagged::json))
     from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) as merged (annotation_sequence, id, tagged, record)
     where comments.organization_key = $1 and comments.annotation_sequence = merged.annotation_sequence
       and comments.id = merged.id`,
    [
      organizationKey,
      rows.map(({ annotationSequence }) => annotationSequence),
      rows.map(({ id }) => id),
      rows.map(({ taggedUserIds }) => JSON.stringify(taggedUserIds)),
      rows.map(({ record }) => record),
    ],
  );
}

/** With their reactions; without ids all of the annotation. Returns the ids of those that were there. */
export async function deleteComments(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  commentIds: number[] | undefined,
): Promise<Set<number>> {
  const { rows } = await transaction.query<{ id: number }>(
    `with reaction as (
       delete from comment_reactions
       where organization_key = $1 and annotation_sequence = $2 and ($3::bigint[] is null or comment_id = any($3))
     )
     delete from comments
     where organization_key = $1 and annotation_sequence = $2 and ($3::bigint[] is null or id = any($3))
     returning id`,
    [organizationKey, annotationSequence, commentIds ?? null],
  );
  return new Set(rows.map(({ id }) => id));
}

/** After a change that adds so many bytes and touches nobody who takes part or is mentioned. Returns the new size. */
export async function touchAnnotation(
  transaction: Queryable,
  organizationKey: string,
  annotationSequence: number,
  addedBytes: number,
): Promise<number> {
  const { rows } = await transaction.query<{ bytes: number }>(
    `update comment_annotations set updated_at = ${NOW_MS}, record_bytes = record_bytes + $3
     where organization_key = $1 and sequence = $2
     returning record_bytes as bytes`,
    [organizationKey, annotationSequence, addedBytes],
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * After a change to the comments of annotations: who takes part and is mentioned, the newest comment and the size
 * become what the comments say. Returns the bytes of the largest.
 */
export async function settleAnnotations(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<number> {
  const { rows } = await transaction.query<{ bytes: number }>(
    `with annotation as (
       select * from comment_annotations where organization_key = $1 and sequence = any($2)
     ), comment as materialized (
       select annotation_sequence, sequence, user_id, tagged_user_ids, record_bytes from comments
       where organization_key = $1 and annotation_sequence = any($2)
     ), named as materialized (
       select sequence as annotation_sequence, 'participant' as role, user_id from annotation where user_id <> ''
       union select annotation_sequence, 'participant', user_id from comment
       union select annotation_sequence, 'mentioned', unnest(tagged_user_ids) from comment
     ), left_out as (
       delete from comment_users where organization_key = $1 and annotation_sequence = any($2)
         and (annotation_sequence, role, user_id) not in (select annotation_sequence, role, user_id from named)
     ), new_user as (
       insert into comment_users (organization_key, annotation_sequence, role, user_id, document_id, created_at,
         written_at)
       select $1, annotation_sequence, role, named.user_id, document_id, created_at, written_at
       from named join annotation on annotation.sequence = named.annotation_sequence
       on conflict do nothing
     )
     update comment_annotations settled set
       updated_at = ${NOW_MS},
       latest_comment = coalesce(total.latest, 0),
       record_bytes = octet_length(settled.record::text) + coalesce(total.bytes, 0)
     from annotation left join (
       select annotation_sequence, max(sequence) as latest, sum(record_bytes + 1) as bytes
       from comment group by annotation_sequence
     ) as total on total.annotation_sequence = annotation.sequence
     where settled.organization_key = $1 and settled.sequence = annotation.sequence
     returning settled.record_bytes as bytes`,
    [organizationKey, sequences],
  );
  return Math.max(0, ...rows.map(({ bytes }) => bytes));
}
