import { withTexts } from "../../../json/record-texts.ts";
import type { Purge, UserDeletion } from "../../purge/user-data-kind.ts";
import { addToReceipt } from "../../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { replaceAnnotations } from "../annotations/annotation-queries.ts";
import { deleteAnnotations } from "../annotations/deletion/annotation-deletion-queries.ts";
import { replaceComments } from "../comments/comment-queries.ts";
import { refreshAnnotations } from "../comments/comment-refresh-queries.ts";
import { purgeFromNotifications } from "../triggers/follow-changes.ts";
import {
  type AnnotationWithComments,
  lockAnnotationsWithComments,
  purgeComments,
  purgeReactions,
  replaceReactions,
  scanAnnotations,
  selectAnnotationsWithComments,
  selectEmpty,
} from "./comment-purge-queries.ts";
import { type AnnotationChange, getChange } from "./redact-annotation.ts";

/**
 * Removes the users from the next annotations: purges their comments and reactions, and the annotations they started
 * unless others have commented in them. Searches without locks first.
 */
export const purgeFromAnnotations: Purge = async (organization, deletion, after) => {
  const { sequences, next } = await scanAnnotations(organization, deletion, Number(after?.[0] ?? 0));
  const found = sequences.length > 0 ? await selectAnnotationsWithComments(organization, deletion, sequences) : [];
  const concerned = getChanges(found, deletion);
  if (concerned.length > 0) {
    await organization.transaction(async (transaction) => {
      const locked = concerned.map(({ sequence }) => sequence);
      const changes = getChanges(await lockAnnotationsWithComments(transaction, deletion, locked), deletion);
      if (changes.length > 0) await write(transaction, deletion, changes);
    });
  }
  return next === undefined ? {} : { next: [next] };
};

function getChanges(annotations: AnnotationWithComments[], deletion: UserDeletion): AnnotationChange[] {
  const userIds = new Set(deletion.userIds);
  return annotations.flatMap((annotation) => getChange(annotation, userIds, deletion.mentions) ?? []);
}

async function write(
  organization: InTransaction<StoredOrganization>,
  deletion: UserDeletion,
  changes: AnnotationChange[],
): Promise<void> {
  const { receipt } = deletion;
  const ownComments = changes.flatMap((change) => change.ownComments);
  const comments = changes.flatMap((change) => change.comments);
  const sequences = changes.map(({ sequence }) => sequence);
  await purgeComments(organization, ownComments);
  await purgeReactions(organization, deletion, sequences);
  await replaceReactions(
    organization,
    changes.flatMap((change) => change.redactedReactions),
  );
  await replaceComments(organization, withTexts(comments));
  const own = changes.filter(({ isOwn }) => isOwn).map(({ sequence }) => sequence);
  const empty = await selectEmpty(organization, own);
  if (empty.size > 0) await deleteAnnotations(organization, [...empty]);
  await purgeFromNotifications(
    organization,
    changes.map(({ id, sequence, ownComments: purged }) => {
      const commentIds = empty.has(sequence) ? undefined : purged.map((comment) => comment.id);
      return { annotationId: id, sequence, commentIds };
    }),
  );
  const left = changes.filter(({ sequence }) => !empty.has(sequence));
  const annotations = left.flatMap(({ annotation }) => annotation ?? []);
  await replaceAnnotations(organization, withTexts(annotations));
  await refreshAnnotations(
    organization,
    left.map(({ sequence }) => sequence),
  );
  const reactions = changes.reduce((sum, change) => sum + change.ownReactions, 0);
  const redactedReactions = changes.reduce((sum, change) => sum + change.redactedReactions.length, 0);
  await addToReceipt(organization, receipt, { deleted: empty.size, stripped: annotations.length });
  const commentCounts = { deleted: ownComments.length, stripped: comments.length };
  await addToReceipt(organization, { ...receipt, kind: "comments" }, commentCounts);
  await addToReceipt(
    organization,
    { ...receipt, kind: "reactions" },
    { deleted: reactions, stripped: redactedReactions },
  );
}
