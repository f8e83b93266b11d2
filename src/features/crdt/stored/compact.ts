import { unavailable } from "../../../contract/errors.ts";
import type { StoredOrganization, TransactionalOrganization } from "../../tenancy/organization-scope.ts";
import { buildRecord } from "../collaborative-document.ts";
import { type CollaborativeDocumentRef, stringifyRef } from "../collaborative-document-ref.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import { compactWithoutBlocking } from "../yjs-document-pool.ts";
import { replaceDocument, type StoredDocument, selectDocument, selectUncompacted } from "./crdt-update-queries.ts";

/** Maximum number of attempts. Each failed one means that another process has written the state. */
export const MAX_ATTEMPTS = 50;

/** Serializes the changes of a document's state in this process. */
export const documentMutex = new KeyedMutex();

export function getMutexKey(organization: StoredOrganization, document: CollaborativeDocumentRef): string {
  return `${organization.key} ${stringifyRef(document)}`;
}

/**
 * Moves the log of a document into its state, unless the log is empty or there is an access block. Returns the version
 * of the new state and the IDs of the updates that were moved.
 */
export function compactUpdates(
  organization: TransactionalOrganization,
  document: CollaborativeDocumentRef,
): Promise<Pick<StoredDocument, "version" | "updateIds"> | undefined> {
  // Yjs may take long, so neither a row lock nor a connection is held meanwhile.
  return documentMutex.take(getMutexKey(organization, document), async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { block, stored } = await selectDocument(organization, document);
      if (block || !stored || stored.updateIds.length === 0) return undefined;
      const { type, contentKey } = stored;
      const { content, ...changed } = await compactWithoutBlocking(stored.owner, { type, contentKey, before: stored });
      const record = buildRecord(document.editorId, type, contentKey, content);
      const compacted = { ...stored, ...changed, record, isCompaction: true };
      if (await organization.transaction((transaction) => replaceDocument(transaction, document, compacted))) {
        return { version: stored.version + 1, updateIds: stored.updateIds };
      }
    }
    throw unavailable("conflict", "Too many concurrent updates of this document. Retry.");
  });
}

/** Compacts the logs of the collaborative documents of a document, or of the given one, so that reads contain them. */
export async function compactDocuments(
  organization: TransactionalOrganization,
  documentId: string,
  editorId?: string,
): Promise<void> {
  for (const id of await selectUncompacted(organization, documentId, editorId)) {
    await compactUpdates(organization, { documentId, editorId: id });
  }
}
