import { areEqual, parseRecord, splitIntoParts } from "../../../json/record-texts.ts";
import { recordStoredEvents } from "../../event-log/record-events.ts";
import type { InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { lockAnchoredAnnotations, replaceAnchoredRecords } from "./anchored-annotation-queries.ts";
import type { RenewedAnchor } from "./renew-anchors.ts";

/** Number of annotations that a statement locks. */
const CHUNK_ANNOTATIONS = 1_000;

/**
 * Writes renewed anchors with an event for each. Leaves out annotations that were deleted or given another anchor since
 * they were read. The anchors must be in the order in which they were read, which is that of the locks.
 */
export async function writeAnchors(
  scope: InTransaction<StoredOrganization>,
  documentId: string,
  renewed: readonly RenewedAnchor[],
): Promise<void> {
  for (const chunk of splitIntoParts(renewed, () => 1, CHUNK_ANNOTATIONS)) {
    const bySequence = new Map(chunk.map((anchor) => [anchor.sequence, anchor]));
    const locked = await lockAnchoredAnnotations(scope, documentId, [...bySequence.keys()]);
    const rows = locked.flatMap(({ id, sequence, record }) => {
      const changed = bySequence.get(sequence);
      const written = changed && applyAnchor(parseRecord(record), changed);
      const fields = JSON.stringify(changed?.after);
      return written ? [{ id, sequence, record: JSON.stringify(written), fields }] : [];
    });
    for (const part of splitIntoParts(rows, ({ record }) => record.length)) await replaceAnchoredRecords(scope, part);
    await recordStoredEvents(
      scope,
      rows.map(({ id }) => ({ documentId, kind: "comment_annotation.update", subject: { annotationId: id } })),
    );
  }
}

/** Returns the annotation with its renewed anchor, or undefined if it has another anchor meanwhile. */
export function applyAnchor(annotation: object, { before, after }: RenewedAnchor): object | undefined {
  const isSame = "anchor" in annotation && areEqual(annotation.anchor, before.anchor);
  return isSame ? { ...annotation, ...after } : undefined;
}
