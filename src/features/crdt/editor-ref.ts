import type { OrganizationKey } from "../tenancy/organization-key.ts";
/** Names an editor of a document. */
export interface EditorRef {
  organizationKey: OrganizationKey;
  documentId: string;
  editorId: string;
}

export type DocumentOfEditors = Omit<EditorRef, "editorId">;

/** Returns a text that names an editor among those of its organization. */
export function nameInOrganization({ documentId, editorId }: Omit<EditorRef, "organizationKey">): string {
  return JSON.stringify([documentId, editorId]);
}
