/**
 * Organizations and documents that are disabled in the export. They are disabled after their records are written, which
 * they reject then. Those that are disabled already are left alone: an import disables only what it has written whole.
 */
export class DeferredDisabling {
  readonly organizations = new Set<string>();
  /** IDs of documents by their organization. */
  readonly documents = new Map<string, Set<string>>();
  readonly #finished = new Set<string>();

  addOrganization(organizationId: string, { isDisabled = false }): void {
    if (isDisabled) this.#finished.add(getKey(organizationId));
    else this.organizations.add(organizationId);
  }

  addDocument(organizationId: string, documentId: string, { isDisabled = false }): void {
    const ids = this.documents.get(organizationId) ?? new Set();
    if (isDisabled) this.#finished.add(getKey(organizationId, documentId));
    else this.documents.set(organizationId, ids.add(documentId));
  }

  /** Returns whether an earlier import has written all records of the organization or of the document. */
  isFinished(organizationId: string, documentId?: string): boolean {
    return (
      this.#finished.has(getKey(organizationId)) ||
      (documentId !== undefined && this.#finished.has(getKey(organizationId, documentId)))
    );
  }
}

function getKey(...ids: string[]): string {
  return JSON.stringify(ids);
}
