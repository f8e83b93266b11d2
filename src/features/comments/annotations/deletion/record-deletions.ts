import type { Queryable } from "../../../../database/statement.ts";
import { hasListeners, type ListenedWorkspace, recordEvents } from "../../../event-log/record-events.ts";
import { selectCommentIds } from "../../comments/comment-queries.ts";
import { annotationEvent, commentEvents, eventsForViewers } from "../../event-log.ts";
import { readAnnotation } from "../annotation.ts";
import type { LockedAnnotation } from "../annotation-queries.ts";

/** Writes the deletions of annotations and their comments to the event log. */
export async function recordDeletions(
  transaction: Queryable,
  workspace: ListenedWorkspace,
  { organizationKey, documentId }: { organizationKey: string; documentId: string },
  annotations: readonly LockedAnnotation[],
  userId?: string,
): Promise<void> {
  if (!hasListeners(workspace)) return;
  const sequences = annotations.map(({ sequence }) => sequence);
  const commentIds = await selectCommentIds(transaction, organizationKey, sequences);
  await recordEvents(transaction, workspace, () =>
    annotations.flatMap(({ id: annotationId, sequence, record }) => {
      const changed = { organizationKey, documentId, annotationId };
      const ids = [...(commentIds.get(sequence) ?? [])].map((commentId) => ({ commentId, userId }));
      const comments = commentEvents(changed, "comment.delete", ids);
      return eventsForViewers(
        [...comments, annotationEvent(changed, "comment_annotation.delete", { userId })],
        readAnnotation(record),
      );
    }),
  );
}
