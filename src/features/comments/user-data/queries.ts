import type { Queryable } from "../../../database/database.ts";
import type { PurgeScope } from "../../erasure/user-data-kind.ts";
import { mayMention, userPages } from "../../erasure/users/queries.ts";

const SCANNED_THREADS = 500;
const SCANNED_BYTES = 8 * 1024 * 1024;

/**
 * The sequences of the next annotations that may have something of the users, and of the last one that was looked at,
 * when there is more. Locks nothing.
 */
export async function scanThreads(
  database: Queryable,
  { organizationKey, acceptedAt, mentions }: PurgeScope,
  after: number,
): Promise<{ sequences: number[]; next: number | undefined }> {
  const { rows } = await database.unprepared<{ sequence: number; isLast: boolean; isFound: boolean }>(
    `with looked_at as (
       select sequence, record, number = ${SCANNED_THREADS} or bytes >= ${SCANNED_BYTES} as is_last
       from (
         select sequence, record, row_number() over place as number, sum(record_bytes) over place as bytes,
           sum(record_bytes) over place - record_bytes as bytes_before
         from (
           select sequence, record, record_bytes from comment_annotations
           where organization_key = $1 and sequence > $4 and written_at <= $2
           order by sequence limit ${SCANNED_THREADS}
         ) as annotation
         window place as (order by sequence rows unbounded preceding)
       ) as numbered
       where bytes_before < ${SCANNED_BYTES}
     )
     select sequence, is_last as "isLast", ${mayMention("record::text", 3)} or exists (
         select from comments where organization_key = $1 and annotation_sequence = looked_at.sequence
           and created_at <= $2 and ${mayMention("comments.record::text", 3)}
       ) as "isFound"
     from looked_at`,
    [organizationKey, acceptedAt, mentions.patterns, after],
  );
  return {
    sequences: rows.filter(({ isFound }) => isFound).map(({ sequence }) => sequence),
    next: rows.find(({ isLast }) => isLast)?.sequence,
  };
}

export interface FoundComment {
  id: number;
  userId: string;
  record: string;
}

/** An annotation with the comments that may have something of the users. */
export interface Thread {
  id: string;
  sequence: number;
  userId: string;
  /** Without the times and the comments. */
  record: string;
  comments: FoundComment[];
  /** Of the users, to any of its comments. */
  reactions: { commentId: number; reaction: string; userId: string }[];
}

/** What was there at the acceptance; locked, in the order of all who lock annotations, where `lock` says so. */
export async function selectThreads(
  database: Queryable,
  { organizationKey, acceptedAt, userIds, mentions }: PurgeScope,
  sequences: number[],
  lock: "" | "for update",
): Promise<Thread[]> {
  const { rows: annotations } = await database.unprepared<Omit<Thread, "comments" | "reactions">>(
    `select id, sequence, user_id as "userId", record::text as record from comment_annotations
     where organization_key = $1 and sequence = any($2) order by created_at, sequence ${lock}`,
    [organizationKey, sequences],
  );
  const { rows: comments } = await database.unprepared<FoundComment & { sequence: number }>(
    `select annotation_sequence as sequence, id, user_id as "userId", record::text as record from comments
     where organization_key = $1 and annotation_sequence = any($2) and created_at <= $3
       and ${mayMention("record::text", 4)}`,
    [organizationKey, sequences, acceptedAt, mentions.patterns],
  );
  const { rows: reactions } = await database.unprepared<Thread["reactions"][number] & { sequence: number }>(
    `select annotation_sequence as sequence, comment_id as "commentId", reaction, user_id as "userId"
     from comment_reactions
     where organization_key = $1 and annotation_sequence = any($2) and user_id = any($4) and created_at <= $3`,
    [organizationKey, sequences, acceptedAt, userIds],
  );
  const commentsOf = Map.groupBy(comments, ({ sequence }) => sequence);
  const reactionsOf = Map.groupBy(reactions, ({ sequence }) => sequence);
  return annotations.map((annotation) => ({
    ...annotation,
    comments: commentsOf.get(annotation.sequence) ?? [],
    reactions: reactionsOf.get(annotation.sequence) ?? [],
  }));
}

// The following work on annotations that the transaction has locked.

/** With all reactions to them. */
export async function purgeComments(
  transaction: Queryable,
  organizationKey: string,
  comments: { sequence: number; id: number }[],
): Promise<void> {
  await transaction.unprepared(
    `with given as (
       select * from unnest($2::bigint[], $3::bigint[]) as given (annotation_sequence, id)
     ), reaction as (
       delete from comment_reactions using given where organization_key = $1
         and comment_reactions.annotation_sequence = given.annotation_sequence and comment_id = given.id
     )
     delete from comments using given where organization_key = $1
       and comments.annotation_sequence = given.annotation_sequence and comments.id = given.id`,
    [organizationKey, comments.map(({ sequence }) => sequence), comments.map(({ id }) => id)],
  );
}

/** The users' own. */
export async function purgeReactions(
  transaction: Queryable,
  { organizationKey, acceptedAt, userIds }: PurgeScope,
  sequences: number[],
): Promise<void> {
  await transaction.unprepared(
    `delete from comment_reactions
     where organization_key = $1 and annotation_sequence = any($2) and user_id = any($3) and created_at <= $4`,
    [organizationKey, sequences, userIds, acceptedAt],
  );
}

/** Their sizes are left to who settles them. An empty `userId`: of nobody. */
export async function replaceAnnotationRecords(
  transaction: Queryable,
  organizationKey: string,
  annotations: { sequence: number; userId: string; record: string }[],
): Promise<void> {
  await transaction.unprepared(
    `update comment_annotations annotation set user_id = given.user_id, record = given.record::json
     from unnest($2::bigint[], $3::text[], $4::text[]) as given (sequence, user_id, record)
     where annotation.organization_key = $1 and annotation.sequence = given.sequence`,
    [
      organizationKey,
      annotations.map(({ sequence }) => sequence),
      annotations.map(({ userId }) => userId),
      annotations.map(({ record }) => record),
    ],
  );
}

/** Which of them have no comment. */
export async function selectEmpty(
  transaction: Queryable,
  organizationKey: string,
  sequences: number[],
): Promise<Set<number>> {
  const { rows } = await transaction.unprepared<{ sequence: number }>(
    `select given.sequence from unnest($2::bigint[]) as given (sequence)
     where not exists (select from comments where organization_key = $1 and annotation_sequence = given.sequence)`,
    [organizationKey, sequences],
  );
  return new Set(rows.map(({ sequence }) => sequence));
}

/** What the user has started, oldest first, without the comments. */
export const selectAnnotationPage = userPages({
  source: "from comment_annotations where organization_key = $1 and user_id = $2",
  keys: ["written_at", "sequence"],
  text: {
    columns: ["created_at", "updated_at"],
    expression: `'{"createdAt":' || page.created_at || ',"lastUpdated":' || page.updated_at || ','
      || substr(page.record::text, 2)`,
  },
});

/** What the user has written, oldest first, with where it stands. */
export const selectCommentPage = userPages({
  source: `from comments comment cross join lateral (
      select id as annotation_id from comment_annotations annotation
      where annotation.organization_key = $1 and annotation.sequence = comment.annotation_sequence limit 1
    ) as thread where comment.organization_key = $1 and comment.user_id = $2`,
  keys: ["created_at", "sequence"],
  text: {
    columns: ["annotation_id", "document_id"],
    expression: `'{"annotationId":' || to_json(page.annotation_id)::text
      || ',"documentId":' || to_json(page.document_id)::text || ',' || substr(page.record::text, 2)`,
  },
});

/** The user's reactions, oldest first. */
export const selectReactionPage = userPages({
  source: `from (
      select created_at, sequence, 0 as record_bytes, json_build_object('annotationId', annotation_id,
        'documentId', document_id, 'commentId', comment_id, 'reaction', reaction, 'createdAt', created_at) as record
      from comment_reactions reacted cross join lateral (
        select id as annotation_id from comment_annotations annotation
        where annotation.organization_key = $1 and annotation.sequence = reacted.annotation_sequence limit 1
      ) as thread where organization_key = $1 and user_id = $2
    ) as reaction where true`,
  keys: ["created_at", "sequence"],
});
