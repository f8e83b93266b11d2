import { ServiceError, unavailable } from "../../../contract/errors.ts";
import type { Context } from "../../../contract/operation.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import { selectAnchors } from "../anchors/anchored-annotation-queries.ts";
import type { StoredAnchor } from "../anchors/renew-anchors.ts";
import { buildRecord } from "../collaborative-document.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import type { ChangedDocument } from "../yjs-document.ts";
import { ensureAuthor } from "./author-queries.ts";
import { documentMutex, getMutexKey, MAX_ATTEMPTS } from "./compact.ts";
import { replaceDocument, type StoredDocument, selectDocument } from "./crdt-update-queries.ts";
import { notifyProcesses } from "./notify-processes.ts";

/** Throws NOT_FOUND for a collaborative document that does not exist. */
export function assertStored<Stored extends object>(
  { editorId }: Pick<CollaborativeDocumentRef, "editorId">,
  stored: Stored | undefined,
): asserts stored is Stored {
  if (stored) return;
  const name = `Collaborative document ${JSON.stringify(editorId)}`;
  throw new ServiceError("not_found", `${name} does not exist; /v2/crdt/add creates it.`);
}

/**
 * Replaces a stored document by what `change` returns, and notifies other processes. Calls `change` again if a
 * concurrent request has changed the document meanwhile. `userId` is the author of the change; absent for the backend.
 */
export function changeStoredDocument(
  { database, earlyReads, workspace, log }: Context,
  { organizationId, ...document }: CollaborativeDocumentRef & { organizationId: string },
  userId: string | undefined,
  change: (stored: StoredDocument & { anchors: StoredAnchor[] }, authorId: string | null) => Promise<ChangedDocument>,
): Promise<void> {
  const early = openOrganization(earlyReads, workspace, organizationId);
  const organization = transactionalOrganization(database, early.key);
  // Yjs may take long, so neither a row lock nor a connection is held meanwhile.
  return documentMutex.take(getMutexKey(organization, document), async () => {
    let authorId: string | null = null;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { block, stored } = await selectDocument(early, document);
      assertAccessible(block, organizationId);
      assertStored(document, stored);
      authorId ??= userId === undefined ? null : await ensureAuthor(organization, document, userId);
      const anchors = await selectAnchors(early, { ...document, editorIds: [document.editorId] });
      const { content, ...changed } = await change({ ...stored, anchors }, authorId);
      const record = buildRecord(document.editorId, stored.type, stored.contentKey, content);
      const replaced = { ...stored, ...changed, record, authorId, isCompaction: false };
      if (!(await replaceDocument(organization, document, replaced))) continue;
      await notifyProcesses(organization, [document], log);
      return;
    }
    throw unavailable("conflict", "Too many concurrent updates of this document. Retry.");
  });
}
