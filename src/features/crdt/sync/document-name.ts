import { isIdentifier } from "../../../contract/schema.ts";

/** Names a collaborative document, as the document name of a provider does. */
export interface NamedDocumentRef {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** Reads `organizationId/documentId/editorId`: identifiers, percent-encoded. Returns undefined for anything else. */
export function readDocumentName(name: string): NamedDocumentRef | undefined {
  const parts = name.split("/");
  try {
    const ids = parts.map(decodeURIComponent);
    const [organizationId, documentId, editorId] = ids;
    if (ids.length !== 3 || !organizationId || !documentId || !editorId || !ids.every(isIdentifier)) return undefined;
    return { organizationId, documentId, editorId };
  } catch {
    return undefined;
  }
}
