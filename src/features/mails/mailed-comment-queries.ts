import { getCommentText } from "../../contract/comment-text.ts";
import { bigints, sql, text, texts, uuid } from "../../database/sql.ts";
import type { MailEvent } from "../../email/templates.ts";
import { awaitsDocumentPurge } from "../purge/overwriting-queries.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";

interface Row {
  annotationId: string;
  /** JSON texts. */
  annotation: string;
  commentId: number | null;
  comment: string | null;
}

/**
 * Returns a mail's event, or those of a digest, with the present texts of comments and the URLs of their annotations.
 * Leaves out those whose comment or annotation was deleted. Returns undefined if none is left.
 */
export async function readPresent(
  scope: StoredOrganization,
  documentId: string,
  { further = [], ...first }: MailEvent,
): Promise<MailEvent | undefined> {
  const events = [first, ...further];
  const rows = await selectMailed(scope, documentId, events);
  const [present, ...others] = events.flatMap((event) => toPresent(event, rows));
  return present && { ...present, ...(others.length > 0 && { further: others }) };
}

function selectMailed(scope: StoredOrganization, documentId: string, events: readonly MailEvent[]): Promise<Row[]> {
  const key = uuid(scope.key);
  const ids = [...new Set(events.map(({ annotationId }) => annotationId))];
  const commentIds = [...new Set(events.flatMap(({ commentId }) => commentId ?? []))];
  return scope.run(
    sql<Row>`select annotation.id as "annotationId", annotation.record::text as annotation, comment.id as "commentId",
        comment.record::text as comment
      from comment_annotations annotation
      left join comments comment on comment.organization_key = ${key}
        and comment.annotation_sequence = annotation.sequence and comment.id = any(${bigints(commentIds)})
      where annotation.organization_key = ${key} and annotation.id = any(${texts(ids)})
        and annotation.document_id = ${text(documentId)}
        and not ${awaitsDocumentPurge(key, "annotation", { writtenAt: "written_at" })}`,
  );
}

function toPresent(event: MailEvent, rows: readonly Row[]): MailEvent[] {
  const ofAnnotation = rows.filter(({ annotationId }) => annotationId === event.annotationId);
  const row = ofAnnotation.find(({ commentId }) => event.commentId === undefined || commentId === event.commentId);
  if (!row) return [];
  const url = getUrl(row.annotation);
  const isOfComment = event.commentId !== undefined && row.comment !== null;
  return [{ ...event, url, ...(isOfComment && { text: getCommentText(JSON.parse(row.comment ?? "")) }) }];
}

/** Returns the address of the page on which the annotation was made, if a browser can open it. */
function getUrl(record: string): string | undefined {
  const { pageInfo }: { pageInfo?: { url?: unknown } | null } = JSON.parse(record);
  const url = typeof pageInfo?.url === "string" ? URL.parse(pageInfo.url) : null;
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : undefined;
}
