import { bigint, sql, text, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";

/** A comment of an annotation that the transaction has locked. */
interface LockedComment {
  organizationKey: string;
  annotationSequence: number;
  comment: { commentId: number };
}

/** Inserts a reaction. Returns whether it is new. */
export async function insertReaction(
  transaction: Queryable,
  { organizationKey, annotationSequence, comment }: LockedComment,
  reaction: string,
  userId: string,
): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into comment_reactions (organization_key, annotation_sequence, comment_id, reaction, user_id,
        document_id, written_at, created_at)
      select organization_key, sequence, ${bigint(comment.commentId)}, ${text(reaction)}, ${text(userId)}, document_id,
        written_at, ${NOW_MS}
      from comment_annotations
      where organization_key = ${uuid(organizationKey)} and sequence = ${bigint(annotationSequence)}
      on conflict do nothing
      returning comment_id`,
  );
  return inserted.length === 1;
}

/** Deletes a reaction. Returns whether it existed. */
export async function deleteReactionRow(
  transaction: Queryable,
  { organizationKey, annotationSequence, comment }: LockedComment,
  reaction: string,
  userId: string,
): Promise<boolean> {
  const deleted = await transaction.run(
    sql`delete from comment_reactions
      where organization_key = ${uuid(organizationKey)} and annotation_sequence = ${bigint(annotationSequence)}
        and comment_id = ${bigint(comment.commentId)} and reaction = ${text(reaction)} and user_id = ${text(userId)}
      returning comment_id`,
  );
  return deleted.length === 1;
}
