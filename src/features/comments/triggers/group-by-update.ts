import type { CommentTrigger } from "./comment-trigger.ts";

/** Returns the changes that one call makes to an annotation together, and each comment alone. */
export function groupByUpdate(triggers: CommentTrigger[]): CommentTrigger[][] {
  const comments = triggers.filter(({ commentId }) => commentId !== undefined);
  const changes = triggers.filter(({ commentId }) => commentId === undefined);
  const updates = [...Map.groupBy(changes, ({ annotationSequence }) => annotationSequence).values()];
  return [...comments.map((trigger) => [trigger]), ...updates];
}
