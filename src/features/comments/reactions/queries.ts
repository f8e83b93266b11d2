import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";

/** Of an annotation that the transaction has locked. */
interface Place {
  organizationKey: string;
  annotationSequence: number;
  comment: { commentId: number };
}

/** Returns whether it is new. */
export async function insertReaction(
  transaction: Queryable,
  { organizationKey, annotationSequence, comment }: Place,
  reaction: string,
  userId: string,
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `insert into comment_reactions (organization_key, annotation_sequence, comment_id, reaction, user_id, document_id,
       written_at, created_at)
     select $1, $2, $3, $4, $5, document_id, written_at, ${NOW_MS}
     from comment_annotations
     where organization_key = $1 and sequence = $2
     on conflict do nothing`,
    [organizationKey, annotationSequence, comment.commentId, reaction, userId],
  );
  return rowCount === 1;
}

/** Returns whether it was there. */
export async function deleteReactionRow(
  transaction: Queryable,
  { organizationKey, annotationSequence, comment }: Place,
  reaction: string,
  userId: string,
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `delete from comment_reactions where organization_key = $1 and annotation_sequence = $2 and comment_id = $3
       and reaction = $4 and user_id = $5`,
    [organizationKey, annotationSequence, comment.commentId, reaction, userId],
  );
  return rowCount === 1;
}
