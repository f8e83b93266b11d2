import type { TransactionalOrganization } from "../../tenancy/organization-scope.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { selectAnchors } from "./anchored-annotation-queries.ts";
import type { RenewedAnchor, StoredAnchor } from "./renew-anchors.ts";
import { resolveAnchors } from "./resolve-anchors.ts";
import { writeAnchors } from "./write-anchors.ts";

/**
 * Renews the anchors that were added or changed while the content was replaced, which are made of the earlier content.
 * `anchors` are those from before.
 */
export async function renewAddedAnchors(
  organization: TransactionalOrganization,
  document: CollaborativeDocumentRef,
  { anchors, renewedAnchors }: { anchors: readonly StoredAnchor[]; renewedAnchors: readonly RenewedAnchor[] },
): Promise<void> {
  const toKey = (sequence: number, fields: string) => `${sequence} ${fields}`;
  const known = new Set([
    ...anchors.map(({ sequence, fields }) => toKey(sequence, fields)),
    ...renewedAnchors.map(({ sequence, after }) => toKey(sequence, JSON.stringify(after))),
  ]);
  const stored = await selectAnchors(organization, { ...document, editorIds: [document.editorId] });
  const added = stored.filter(({ sequence, fields }) => !known.has(toKey(sequence, fields)));
  if (added.length === 0) return;
  const renewed = await resolveAnchors(organization, document, added);
  await organization.transaction((scope) => writeAnchors(scope, document.documentId, renewed));
}
