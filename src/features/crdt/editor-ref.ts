/** Names an editor of a document. */
export interface EditorRef {
  organizationKey: string;
  documentId: string;
  editorId: string;
}

export type DocumentOfEditors = Omit<EditorRef, "editorId">;

/** Returns a text that names an editor among those of its organization. */
export function nameInOrganization({ documentId, editorId }: Omit<EditorRef, "organizationKey">): string {
  return JSON.stringify([documentId, editorId]);
}
