import type { OrganizationKey } from "../tenancy/organization-key.ts";
/** Names an editor of a document. */
export interface CollaborativeDocumentRef {
  organizationKey: OrganizationKey;
  documentId: string;
  editorId: string;
}

export type DocumentRef = Omit<CollaborativeDocumentRef, "editorId">;

/** Returns a text that names an editor among those of its organization. */
export function nameInOrganization({
  documentId,
  editorId,
}: Omit<CollaborativeDocumentRef, "organizationKey">): string {
  return JSON.stringify([documentId, editorId]);
}
