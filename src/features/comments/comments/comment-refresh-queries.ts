import { bigint, bigints, integer, sql, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { OrganizationScope, StoredOrganization } from "../../tenancy/organization-scope.ts";

// Columns of annotations that follow from what belongs to them. The transaction has locked the annotations.

/** Approximate number of bytes that the response adds to a comment; migration 0021 has the same values. */
export const COMMENT_OVERHEAD_BYTES = sql`350`;
/** Approximate number of bytes that the response adds to a reaction. */
export const REACTION_OVERHEAD_BYTES = sql`400`;

/** Updates time and size after a change that concerns no participant or mentioned user. Returns the new size. */
export async function touchAnnotation(
  scope: OrganizationScope,
  annotationSequence: number,
  addedBytes: number,
): Promise<number> {
  const [row] = await scope.run(
    sql<{ bytes: number }>`update comment_annotations set updated_at = ${NOW_MS},
        record_bytes = record_bytes + ${integer(addedBytes)}
      where organization_key = ${uuid(scope.key)} and sequence = ${bigint(annotationSequence)}
      returning record_bytes as bytes`,
  );
  return row?.bytes ?? 0;
}

/**
 * Derives participants, mentioned users, the newest comment and the size from the comments of annotations, after these
 * have changed. Returns the size of the largest annotation in bytes.
 */
export async function refreshAnnotations(scope: StoredOrganization, sequences: number[]): Promise<number> {
  const key = uuid(scope.key);
  const isOwn = sql`organization_key = ${key} and annotation_sequence = any(${bigints(sequences)})`;
  const rows = await scope.run(
    sql<{ bytes: number }>`with annotation as (
        select * from comment_annotations where organization_key = ${key} and sequence = any(${bigints(sequences)})
      ), comment as materialized (
        select annotation_sequence, sequence, user_id, tagged_user_ids, record_bytes from comments where ${isOwn}
      ), reaction as (
        select annotation_sequence, sum(coalesce(octet_length(record::text), 0) + ${REACTION_OVERHEAD_BYTES}) as bytes
        from comment_reactions where ${isOwn} group by annotation_sequence
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
        record_bytes = octet_length(refreshed.record::text) + coalesce(total.bytes, 0) + coalesce(reaction.bytes, 0)
      from annotation left join (
        select annotation_sequence, max(sequence) as latest, sum(record_bytes + ${COMMENT_OVERHEAD_BYTES}) as bytes
        from comment group by annotation_sequence
      ) as total on total.annotation_sequence = annotation.sequence
      left join reaction on reaction.annotation_sequence = annotation.sequence
      where refreshed.organization_key = ${key} and refreshed.sequence = annotation.sequence
      returning refreshed.record_bytes as bytes`,
  );
  return Math.max(0, ...rows.map(({ bytes }) => bytes));
}
