import { hasListeners, type ListenedWorkspace, recordEvents } from "../../../event-log/record-events.ts";
import type { OrganizationScope } from "../../../tenancy/organization-scope.ts";
import { selectCommentIds } from "../../comments/comment-queries.ts";
import { buildAnnotationEvent, buildCommentEvents, toViewerEvents } from "../../event-log.ts";
import { readAnnotation } from "../annotation.ts";
import type { LockedAnnotation } from "../annotation-queries.ts";

/** Writes the deletions of annotations and their comments to the event log. */
export async function recordDeletions(
  scope: OrganizationScope<ListenedWorkspace>,
  documentId: string,
  annotations: readonly LockedAnnotation[],
  userId?: string,
): Promise<void> {
  if (!hasListeners(scope.workspace)) return;
  const sequences = annotations.map(({ sequence }) => sequence);
  const commentIds = await selectCommentIds(scope, sequences);
  await recordEvents(
    scope,
    annotations.flatMap(({ id: annotationId, sequence, record }) => {
      const changed = { documentId, annotationId };
      const ids = [...(commentIds.get(sequence) ?? [])].map((commentId) => ({ commentId, userId }));
      const comments = buildCommentEvents(changed, "comment.delete", ids);
      return toViewerEvents(
        [...comments, buildAnnotationEvent(changed, "comment_annotation.delete", { userId })],
        readAnnotation(record),
      );
    }),
  );
}
