import { bigint, bigints, EMPTY, integer, sql, texts, uuid } from "../../../../database/sql.ts";
import type { OrganizationScope } from "../../../tenancy/organization-scope.ts";

const CHUNK_COMMENTS = 500;

export interface CommentPosition {
  annotationSequence: number;
  id: number;
}

/** Reads the next comments of locked annotations that the users have written or are tagged in. */
export async function selectCommentsNaming(
  scope: OrganizationScope,
  sequences: number[],
  userIds: string[],
  after: CommentPosition | undefined,
): Promise<{ comments: (CommentPosition & { record: string })[]; next: CommentPosition | undefined }> {
  const afterCursor = after
    ? sql`and (annotation_sequence, id) > (${bigint(after.annotationSequence)}, ${bigint(after.id)})`
    : EMPTY;
  const comments = await scope.run(
    sql<CommentPosition & { record: string }>`select annotation_sequence as "annotationSequence", id,
        record::text as record
      from comments
      where organization_key = ${uuid(scope.key)} and annotation_sequence = any(${bigints(sequences)})
        and (user_id = any(${texts(userIds)}) or tagged_user_ids && ${texts(userIds)} collate "C") ${afterCursor}
      order by annotation_sequence, id limit ${integer(CHUNK_COMMENTS)}`,
  );
  return { comments, next: comments.length === CHUNK_COMMENTS ? comments.at(-1) : undefined };
}
