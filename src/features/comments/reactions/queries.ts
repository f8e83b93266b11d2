import { bigint, json, sql, text, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";
import { REACTION_OVERHEAD_BYTES } from "../comments/refresh/queries.ts";

/** A comment of an annotation that the transaction has locked. */
export interface LockedComment {
  organizationKey: string;
  annotationSequence: number;
  commentId: number;
}

/** Inserts a reaction. Returns the bytes by which the annotation grows; undefined if the reaction exists. */
export async function insertReaction(
  transaction: Queryable,
  { organizationKey, annotationSequence, commentId }: LockedComment,
  { reaction, userId, record }: { reaction: string; userId: string; record: string },
): Promise<number | undefined> {
  const key = uuid(organizationKey);
  const inserted = await transaction.run(
    sql<{ bytes: number }>`with reacted as (
        update comments set had_reactions = true
        where organization_key = ${key} and annotation_sequence = ${bigint(annotationSequence)}
          and id = ${bigint(commentId)} and not had_reactions
      )
      insert into comment_reactions (organization_key, annotation_sequence, comment_id, reaction, user_id, record,
        document_id, written_at, created_at)
      select organization_key, sequence, ${bigint(commentId)}, ${text(reaction)}, ${text(userId)}, ${json(record)},
        document_id, written_at, ${NOW_MS}
      from comment_annotations
      where organization_key = ${key} and sequence = ${bigint(annotationSequence)}
      on conflict do nothing
      returning octet_length(record::text) + ${REACTION_OVERHEAD_BYTES} as bytes`,
  );
  return inserted[0]?.bytes;
}

/** Deletes a reaction. Returns the bytes by which the annotation shrinks; undefined if there was no such reaction. */
export async function deleteReactionRow(
  transaction: Queryable,
  { organizationKey, annotationSequence, commentId }: LockedComment,
  reaction: string,
  userId: string,
): Promise<number | undefined> {
  const deleted = await transaction.run(
    sql<{ bytes: number }>`delete from comment_reactions
      where organization_key = ${uuid(organizationKey)} and annotation_sequence = ${bigint(annotationSequence)}
        and comment_id = ${bigint(commentId)} and reaction = ${text(reaction)} and user_id = ${text(userId)}
      returning coalesce(octet_length(record::text), 0) + ${REACTION_OVERHEAD_BYTES} as bytes`,
  );
  return deleted[0]?.bytes;
}
