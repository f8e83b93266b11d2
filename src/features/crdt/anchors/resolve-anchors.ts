import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import { selectDocument } from "../stored/crdt-update-queries.ts";
import { renewWithoutBlocking } from "../yjs-document-pool.ts";
import { detachAnchors, type RenewedAnchor, type StoredAnchor } from "./renew-anchors.ts";

/** Finds the passages of anchors in a collaborative document as it is stored. Returns the anchors that change. */
export async function resolveAnchors(
  scope: StoredOrganization,
  document: { documentId: string; editorId: string },
  anchors: readonly StoredAnchor[],
): Promise<RenewedAnchor[]> {
  const { stored } = await selectDocument(scope, document);
  if (!stored) return detachAnchors(anchors);
  const { type, contentKey } = stored;
  return renewWithoutBlocking(stored.owner, { type, contentKey, before: { ...stored, anchors } });
}
