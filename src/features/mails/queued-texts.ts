import { bounded, type MailEvent } from "../../email/templates.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { lockMailsAbout, replaceMailRecords } from "./queued-text-queries.ts";

/** Comments of an annotation that were changed or deleted. */
interface ChangedComments {
  annotationId: string;
  /** The new texts by comment ID, undefined for those that were deleted. Without it, all were deleted. */
  texts?: ReadonlyMap<number, string | undefined> | undefined;
}

/**
 * Replaces the texts of comments in the mails that wait, so that no row keeps a text which its author has removed. It
 * reads and writes only the mails about these comments, which costs no more than to queue them.
 */
export async function replaceQueuedTexts(
  scope: InTransaction<OrganizationScope>,
  documentId: string,
  changed: readonly ChangedComments[],
): Promise<void> {
  const byAnnotation = new Map(changed.map((comments) => [comments.annotationId, comments]));
  const mails = await lockMailsAbout(scope, documentId, {
    annotationIds: [...byAnnotation.keys()],
    containing: changed.flatMap(toParts),
  });
  if (mails.length === 0) return;
  const replace = (event: MailEvent): MailEvent => {
    const { annotationId, commentId, further } = event;
    const comments = byAnnotation.get(annotationId);
    const isChanged = comments && (!comments.texts || (commentId !== undefined && comments.texts.has(commentId)));
    const text = isChanged ? comments.texts?.get(commentId ?? 0) : event.text;
    return { ...event, text, ...(further && { further: further.map(replace) }) };
  };
  await replaceMailRecords(
    scope,
    mails.map(({ id, record }) => ({ id, record: JSON.stringify(bounded(replace(JSON.parse(record)))) })),
  );
}

/** Returns texts of which the record of a mail about the comments contains one. `commentId` is never its last field. */
function toParts({ annotationId, texts }: ChangedComments): string[] {
  if (!texts) return [`"annotationId":${JSON.stringify(annotationId)},`];
  return [...texts.keys()].map((commentId) => `"commentId":${commentId},`);
}
