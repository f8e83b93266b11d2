import type { OrganizationKey } from "../../database/keys.ts";

/** Names a collaborative document by its IDs in its organization. */
export interface CollaborativeDocumentRef {
  documentId: string;
  editorId: string;
}

/** Names a collaborative document of any organization. */
export interface QualifiedDocumentRef extends CollaborativeDocumentRef {
  organizationKey: OrganizationKey;
}

/** Returns a text that no other collaborative document of the organization has. */
export function stringifyRef({ documentId, editorId }: CollaborativeDocumentRef): string {
  return JSON.stringify([documentId, editorId]);
}
