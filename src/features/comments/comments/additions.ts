import type { Workspace } from "../../../contract/operation.ts";
import { batched, type Queryable } from "../../../database/statement.ts";
import type { JobQueue } from "../../../jobs/jobs.ts";
import type { AccessScope } from "../../access/queries.ts";
import { recordEvents } from "../../event-log/record-events.ts";
import type { AccessBlock } from "../../tenancy/queries.ts";
import { readAnnotation } from "../annotations/annotation.ts";
import { countExisting } from "../annotations/filters/queries.ts";
import { type LockedAnnotation, lockNamedAnnotations, selectParticipants } from "../annotations/queries.ts";
import { addedCommentCauses, commentEvents } from "../event-log.ts";
import { announce, isAnyMailed } from "../events/announce.ts";
import { eventsOfComments } from "../events/comment-events.ts";
import type { NewComment } from "./comment.ts";
import { insertNewComments } from "./new-comments.ts";
import { selectExistingIds } from "./queries.ts";

export interface AddCommentsCall {
  jobs: JobQueue;
  workspace: Workspace;
  organizationKey: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
  /** User who must be allowed to see the annotation. */
  seenBy: AccessScope | undefined;
  commentData: NewComment[];
  /** Approximate size of the comments in bytes. */
  bytes: number;
}

/** The ids of the new comments, or the reason why nothing was written. */
export type AddCommentsResult =
  | { commentIds: number[] }
  | { refusal: "missing" }
  | { refusal: "block"; block: AccessBlock }
  | { refusal: "exists"; commentId: number };

/** Adds the comments of many calls and all they trigger. Each call adds to another annotation, all or nothing. */
export const addCommentsBatched = batched<AddCommentsCall, AddCommentsResult>({
  isTransaction: true,
  byteSize: ({ bytes }) => bytes,
  organizationKey: ({ organizationKey }) => organizationKey,
  *conflictKeys({ organizationKey, annotationId }) {
    yield `${organizationKey}${annotationId}`;
  },
  async run(transaction, additions) {
    const annotations = await lockSeenAnnotations(transaction, additions);
    const refusals = await refusalsOf(transaction, additions, annotations);
    const accepted = additions.flatMap((addition, index) => {
      const annotation = annotations[index];
      return annotation && !refusals[index] ? [{ ...addition, annotation }] : [];
    });
    const commentIds = accepted.length > 0 ? await write(transaction, accepted) : new Map<number, number[]>();
    return additions.map(
      (_, index) => refusals[index] ?? { commentIds: commentIds.get(annotations[index]?.sequence ?? 0) ?? [] },
    );
  },
});

/**
 * Locks the annotations of the calls. Returns undefined for each that does not exist, or that the calling user may not
 * see once it is locked, so that no comment follows a change that hides the annotation.
 */
async function lockSeenAnnotations(
  transaction: Queryable,
  additions: AddCommentsCall[],
): Promise<(LockedAnnotation | undefined)[]> {
  const locked = await lockNamedAnnotations(transaction, additions);
  const seen: typeof locked = [];
  for (const [index, { organizationKey, documentId, annotationId, seenBy }] of additions.entries()) {
    const annotation = locked[index];
    const filters = { documentId, annotationIds: [annotationId], seenBy };
    const isSeen =
      !seenBy || annotation?.isVisibleToAll || (await countExisting(transaction, organizationKey, filters)) > 0;
    seen.push(isSeen ? annotation : undefined);
  }
  return seen;
}

async function refusalsOf(
  transaction: Queryable,
  additions: AddCommentsCall[],
  annotations: (LockedAnnotation | undefined)[],
): Promise<(AddCommentsResult | undefined)[]> {
  const given = additions.flatMap(({ organizationKey, commentData }, index) => {
    const annotationSequence = annotations[index]?.sequence;
    if (annotationSequence === undefined) return [];
    return commentData.flatMap(({ commentId: id }) =>
      id === undefined ? [] : [{ organizationKey, annotationSequence, id }],
    );
  });
  const existing = given.length > 0 ? await selectExistingIds(transaction, given) : new Map<number, number>();
  return annotations.map((annotation) => {
    if (!annotation) return { refusal: "missing" };
    if (annotation.block) return { refusal: "block", block: annotation.block };
    const commentId = existing.get(annotation.sequence);
    return commentId === undefined ? undefined : { refusal: "exists", commentId };
  });
}

/** Returns the ids of the comments, by the annotation's sequence. */
async function write(
  transaction: Queryable,
  additions: (AddCommentsCall & { annotation: LockedAnnotation })[],
): Promise<Map<number, number[]>> {
  const announced = additions.filter(
    ({ workspace, commentData }) =>
      isAnyMailed(workspace, ["comment.add"]) ||
      commentData.some(({ triggerActivities, triggerNotification }) => triggerActivities || triggerNotification),
  );
  const annotated = announced.map(({ annotation }) => annotation);
  const participants =
    annotated.length > 0 ? await selectParticipants(transaction, annotated) : new Map<number, string[]>();
  const added = await insertNewComments(transaction, additions, { isNew: false });
  const comments = new Map(additions.map(({ annotation }, index) => [annotation.sequence, added[index] ?? []]));
  const announcements = announced.map(({ annotation, commentData, jobs: _, ...document }) => {
    const { id: annotationId, sequence, record } = annotation;
    const taking = participants.get(sequence) ?? [];
    const subject = { annotationId, fields: readAnnotation(record), participants: taking, isNew: false };
    return { ...document, events: eventsOfComments(subject, commentData, comments.get(sequence) ?? []) };
  });
  if (additions[0]) await announce(transaction, additions[0].jobs, announcements);
  for (const { workspace, annotation, commentData, ...changed } of additions) {
    const written = comments.get(annotation.sequence) ?? [];
    await recordEvents(transaction, workspace, () =>
      commentEvents(changed, "comment.add", addedCommentCauses(commentData, written)),
    );
  }
  return new Map([...comments].map(([sequence, written]) => [sequence, written.map(({ commentId }) => commentId)]));
}
