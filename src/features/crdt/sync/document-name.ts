/** An editor as a document name says it. */
export interface NamedEditor {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** Reads `organizationId/documentId/editorId`, each percent-encoded. Returns undefined for anything else. */
export function readDocumentName(name: string): NamedEditor | undefined {
  const parts = name.split("/");
  try {
    const [organizationId, documentId, editorId] = parts.map(decodeURIComponent);
    if (parts.length !== 3 || !organizationId || !documentId || !editorId) return undefined;
    return { organizationId, documentId, editorId };
  } catch {
    return undefined;
  }
}
