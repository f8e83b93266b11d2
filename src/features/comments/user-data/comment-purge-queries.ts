import {
  bigint,
  bigints,
  EMPTY,
  integer,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
} from "../../../database/sql.ts";
import { existedAt } from "../../purge/purge-queries.ts";
import type { UserDeletion } from "../../purge/user-data-kind.ts";
import { mayMention, userPages } from "../../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { ANNOTATION_COLUMNS, serializeAnnotation, serializeComment } from "../serialized-comment-queries.ts";

const SCANNED_ANNOTATIONS = 500;
const SCANNED_BYTES = 2 * 1024 * 1024;

/**
 * Returns the sequences of the next annotations that may mention the users and, if there is more, the sequence of the
 * last annotation scanned. Locks nothing.
 */
export async function scanAnnotations(
  scope: StoredOrganization,
  { accepted, mentions }: UserDeletion,
  after: number,
): Promise<{ sequences: number[]; next: number | undefined }> {
  const key = uuid(scope.key);
  const existed = existedAt({ writtenAt: "created_at" }, accepted);
  const rows = await scope.run(
    unprepared(
      sql<{ sequence: number; isLast: boolean; isFound: boolean }>`with scanned as (
        select sequence, record,
          number = ${integer(SCANNED_ANNOTATIONS)} or bytes >= ${integer(SCANNED_BYTES)} as is_last
        from (
          select sequence, record, row_number() over place as number, sum(record_bytes) over place as bytes,
            sum(record_bytes) over place - record_bytes as bytes_before
          from (
            select sequence, record, record_bytes from comment_annotations
            where organization_key = ${key} and sequence > ${bigint(after)}
              and ${existedAt({ writtenAt: "written_at" }, accepted)}
            order by sequence limit ${integer(SCANNED_ANNOTATIONS)}
          ) as annotation
          window place as (order by sequence rows unbounded preceding)
        ) as numbered
        where bytes_before < ${integer(SCANNED_BYTES)}
      )
      select sequence, is_last as "isLast", ${mayMention(sql`record::text`, mentions.patterns)} or exists (
          select from comments where organization_key = ${key} and annotation_sequence = scanned.sequence
            and ${existed} and ${mayMention(sql`comments.record::text`, mentions.patterns)}
        ) or exists (
          select from comment_reactions where organization_key = ${key} and annotation_sequence = scanned.sequence
            and ${existed} and ${mayMention(REACTION, mentions.patterns)}
        ) as "isFound"
      from scanned`,
    ),
  );
  return {
    sequences: rows.filter(({ isFound }) => isFound).map(({ sequence }) => sequence),
    next: rows.find(({ isLast }) => isLast)?.sequence,
  };
}

/** The text of a reaction's `from`. */
const REACTION = sql`coalesce(comment_reactions.record, json_build_object('userId', user_id))::text`;

export interface FoundComment {
  id: number;
  userId: string;
  record: string;
}

/** An annotation with the comments that may mention the users. */
export interface AnnotationWithComments {
  id: string;
  sequence: number;
  userId: string;
  /** The JSON text without times and comments. */
  record: string;
  comments: FoundComment[];
  /** Reactions to any of the comments that may be of the users or mention them. The record is `from`. */
  reactions: { annotationSequence: number; sequence: number; userId: string; record: string }[];
}

/** Returns the condition on what belongs to the annotations and existed when the deletion was accepted. */
function isAffected({ key }: StoredOrganization, { accepted }: UserDeletion, sequences: number[]): Sql {
  return sql`organization_key = ${uuid(key)} and annotation_sequence = any(${bigints(sequences)})
    and ${existedAt({ writtenAt: "created_at" }, accepted)}`;
}

/** Reads annotations as of the acceptance of the deletion. */
export function selectAnnotationsWithComments(
  scope: StoredOrganization,
  deletion: UserDeletion,
  sequences: number[],
): Promise<AnnotationWithComments[]> {
  return readAnnotations(scope, deletion, sequences, EMPTY);
}

/** Reads annotations as of the acceptance of the deletion, and locks them in the order of every writer. */
export function lockAnnotationsWithComments(
  scope: InTransaction<StoredOrganization>,
  deletion: UserDeletion,
  sequences: number[],
): Promise<AnnotationWithComments[]> {
  return readAnnotations(scope, deletion, sequences, sql`for update`);
}

async function readAnnotations(
  scope: StoredOrganization,
  deletion: UserDeletion,
  sequences: number[],
  lock: Sql,
): Promise<AnnotationWithComments[]> {
  const { mentions } = deletion;
  const annotations = await scope.run(
    unprepared(
      sql<
        Omit<AnnotationWithComments, "comments" | "reactions">
      >`select id, sequence, user_id as "userId", record::text as record
        from comment_annotations
        where organization_key = ${uuid(scope.key)} and sequence = any(${bigints(sequences)})
        order by created_at, sequence ${lock}`,
    ),
  );
  const comments = await scope.run(
    unprepared(
      sql<FoundComment & { sequence: number }>`select annotation_sequence as sequence, id, user_id as "userId",
          record::text as record
        from comments where ${isAffected(scope, deletion, sequences)}
          and ${mayMention(sql`record::text`, mentions.patterns)}`,
    ),
  );
  const reactions = await scope.run(
    unprepared(
      sql<AnnotationWithComments["reactions"][number]>`select
          annotation_sequence as "annotationSequence", sequence, user_id as "userId", ${REACTION} as record
        from comment_reactions where ${isAffected(scope, deletion, sequences)}
          and ${mayMention(REACTION, mentions.patterns)}`,
    ),
  );
  const commentsBySequence = Map.groupBy(comments, ({ sequence }) => sequence);
  const reactionsBySequence = Map.groupBy(reactions, ({ annotationSequence }) => annotationSequence);
  return annotations.map((annotation) => ({
    ...annotation,
    comments: commentsBySequence.get(annotation.sequence) ?? [],
    reactions: reactionsBySequence.get(annotation.sequence) ?? [],
  }));
}

// The following functions work on annotations that the transaction has locked.

/** Purges comments with all reactions to them. */
export async function purgeComments(
  scope: StoredOrganization,
  comments: { sequence: number; id: number }[],
): Promise<void> {
  const key = uuid(scope.key);
  const [sequences, ids] = [bigints(comments.map(({ sequence }) => sequence)), bigints(comments.map(({ id }) => id))];
  await scope.run(
    unprepared(
      sql`with input as (
        select * from unnest(${sequences}, ${ids}) as input (annotation_sequence, id)
      ), reaction as (
        delete from comment_reactions using input where organization_key = ${key}
          and comment_reactions.annotation_sequence = input.annotation_sequence and comment_id = input.id
      )
      delete from comments using input where organization_key = ${key}
        and comments.annotation_sequence = input.annotation_sequence and comments.id = input.id`,
    ),
  );
}

/** Purges the users' own reactions. */
export async function purgeReactions(
  scope: StoredOrganization,
  deletion: UserDeletion,
  sequences: number[],
): Promise<void> {
  await scope.run(
    unprepared(
      // Citus deletes by no condition on when a row was written.
      sql`with own as (
        select sequence as own_sequence from comment_reactions
        where ${isAffected(scope, deletion, sequences)} and user_id = any(${texts(deletion.userIds)})
      )
      delete from comment_reactions where organization_key = ${uuid(scope.key)}
        and annotation_sequence = any(${bigints(sequences)}) and sequence in (select own_sequence from own)`,
    ),
  );
}

/** Replaces what other users have sent with their reactions. */
export async function replaceReactions(
  scope: StoredOrganization,
  reactions: { annotationSequence: number; sequence: number; record: string }[],
): Promise<void> {
  await scope.run(
    unprepared(
      sql`update comment_reactions reaction set record = input.record::json
        from unnest(
          ${bigints(reactions.map(({ annotationSequence }) => annotationSequence))},
          ${bigints(reactions.map(({ sequence }) => sequence))},
          ${texts(reactions.map(({ record }) => record))}
        ) as input (annotation_sequence, sequence, record)
        where reaction.organization_key = ${uuid(scope.key)}
          and reaction.annotation_sequence = input.annotation_sequence and reaction.sequence = input.sequence`,
    ),
  );
}

/** Returns the sequences of the annotations that have no comment. */
export async function selectEmpty(scope: StoredOrganization, sequences: number[]): Promise<Set<number>> {
  const rows = await scope.run(
    unprepared(
      sql<{ sequence: number }>`select input.sequence from unnest(${bigints(sequences)}) as input (sequence)
        where not exists (
          select from comments
          where organization_key = ${uuid(scope.key)} and annotation_sequence = input.sequence)`,
    ),
  );
  return new Set(rows.map(({ sequence }) => sequence));
}

/** Reads one page of the annotations that the user has started, oldest first, without the comments. */
export const selectStartedPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from comment_annotations where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["written_at", "sequence"],
  keyType: "bigint",
  serialized: { columns: ["created_at", ...ANNOTATION_COLUMNS], expression: serializeAnnotation() },
});

/** Reads one page of the comments that the user has written, oldest first, with their annotation and document. */
export const selectCommentPage = userPages({
  source: ({ organizationKey, userId }) => sql`from (
      select comment.created_at, comment.sequence, comment.record_bytes, annotation.id as annotation_id,
        comment.document_id, ${serializeComment(organizationKey, sql`to_json(annotation.id)::text`)} as record
      from comments comment cross join lateral (
        select id from comment_annotations annotation
        where annotation.organization_key = ${uuid(organizationKey)}
          and annotation.sequence = comment.annotation_sequence limit 1
      ) as annotation where comment.organization_key = ${uuid(organizationKey)} and comment.user_id = ${text(userId)}
    ) as written where true`,
  keys: ["created_at", "sequence"],
  keyType: "bigint",
  serialized: {
    columns: ["annotation_id", "document_id"],
    expression: sql`'{"annotationId":' || to_json(page.annotation_id)::text
      || ',"documentId":' || to_json(page.document_id)::text || ',' || right(page.record, -1)`,
  },
});

/** Reads one page of the user's reactions, oldest first. */
export const selectReactionPage = userPages({
  source: ({ organizationKey, userId }) => sql`from (
      select created_at, sequence, coalesce(octet_length(record::text), 0) as record_bytes,
        json_build_object('annotationId', annotation_id,
        'documentId', document_id, 'commentId', comment_id, 'reaction', reaction, 'createdAt', created_at,
        'from', coalesce(record, json_build_object('userId', user_id))) as record
      from comment_reactions reacted cross join lateral (
        select id as annotation_id from comment_annotations annotation
        where annotation.organization_key = ${uuid(organizationKey)}
          and annotation.sequence = reacted.annotation_sequence limit 1
      ) as annotated where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as reaction where true`,
  keys: ["created_at", "sequence"],
  keyType: "bigint",
});
