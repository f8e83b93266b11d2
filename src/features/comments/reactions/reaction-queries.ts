import { bigint, bigints, json, sql, text, texts, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { REACTION_OVERHEAD_BYTES } from "../comments/comment-refresh-queries.ts";

/** A comment of an annotation that the transaction has locked. */
export interface LockedComment {
  annotationSequence: number;
  commentId: number;
}

/** Returns the reactions to a comment, each once, in the order in which they were first added. */
export async function selectReactions(
  scope: OrganizationScope,
  { annotationSequence, commentId }: LockedComment,
): Promise<string[]> {
  const rows = await scope.run(
    sql<{ reaction: string }>`select reaction from comment_reactions
      where organization_key = ${uuid(scope.key)} and annotation_sequence = ${bigint(annotationSequence)}
        and comment_id = ${bigint(commentId)}
      group by reaction order by min(sequence)`,
  );
  return rows.map(({ reaction }) => reaction);
}

/** Inserts a reaction. Returns the bytes by which the annotation grows; undefined if the reaction exists. */
export async function insertReaction(
  scope: OrganizationScope,
  { annotationSequence, commentId }: LockedComment,
  { reaction, userId, record }: { reaction: string; userId: string; record: string },
): Promise<number | undefined> {
  const key = uuid(scope.key);
  const inserted = await scope.run(
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
  scope: OrganizationScope,
  { annotationSequence, commentId }: LockedComment,
  reaction: string,
  userId: string,
): Promise<number | undefined> {
  const deleted = await scope.run(
    sql<{ bytes: number }>`delete from comment_reactions
      where organization_key = ${uuid(scope.key)} and annotation_sequence = ${bigint(annotationSequence)}
        and comment_id = ${bigint(commentId)} and reaction = ${text(reaction)} and user_id = ${text(userId)}
      returning coalesce(octet_length(record::text), 0) + ${REACTION_OVERHEAD_BYTES} as bytes`,
  );
  return deleted[0]?.bytes;
}

export interface ImportedReaction {
  annotationSequence: number;
  commentId: number;
  reaction: string;
  userId: string;
  /** Milliseconds since the epoch; null for now. */
  createdAt: number | null;
  /** The JSON text of the user as sent. */
  record: string;
}

/** Inserts reactions to comments that the transaction has inserted. Returns the size of the largest annotation. */
export async function insertImportedReactions(
  scope: OrganizationScope,
  reactions: ImportedReaction[],
): Promise<number> {
  const key = uuid(scope.key);
  const columns = sql`${bigints(reactions.map(({ annotationSequence }) => annotationSequence))},
    ${bigints(reactions.map(({ commentId }) => commentId))}`;
  await scope.run(
    sql`update comments set had_reactions = true
      from (select distinct * from unnest(${columns}) as given (annotation_sequence, id)) as reacted
      where comments.organization_key = ${key} and comments.annotation_sequence = reacted.annotation_sequence
        and comments.id = reacted.id`,
  );
  await scope.run(
    sql`insert into comment_reactions (organization_key, annotation_sequence, comment_id, reaction, user_id, record,
        document_id, written_at, created_at, sequence)
      select organization_key, annotation.sequence, comment_id, reaction, reaction.user_id, reaction.record::json,
        document_id, written_at, least(reaction.created_at, ${NOW_MS}), reaction.sequence
      from (
        select given.*, nextval('comment_sequence') as sequence
        from unnest(
          ${columns},
          ${texts(reactions.map(({ reaction }) => reaction))},
          ${texts(reactions.map(({ userId }) => userId))},
          ${texts(reactions.map(({ record }) => record))},
          ${bigints(reactions.map(({ createdAt }) => createdAt))}
        ) with ordinality
          as given (annotation_sequence, comment_id, reaction, user_id, record, created_at, place)
        order by place
      ) as reaction
      join comment_annotations annotation on annotation.organization_key = ${key}
        and annotation.sequence = reaction.annotation_sequence`,
  );
  const grown = await scope.run(
    sql<{ bytes: number }>`update comment_annotations annotation set record_bytes = record_bytes + reacted.bytes
      from (
        select annotation_sequence, sum(octet_length(record::text) + ${REACTION_OVERHEAD_BYTES})::int as bytes
        from comment_reactions
        where organization_key = ${key}
          and annotation_sequence = any(${bigints(reactions.map(({ annotationSequence }) => annotationSequence))})
        group by annotation_sequence
      ) as reacted
      where annotation.organization_key = ${key} and annotation.sequence = reacted.annotation_sequence
      returning record_bytes as bytes`,
  );
  return Math.max(0, ...grown.map(({ bytes }) => bytes));
}
