import { ServiceError, unavailable } from "../../../contract/errors.ts";
import type { Context } from "../../../contract/operation.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import {
  type InTransaction,
  openOrganization,
  type StoredOrganization,
  transactionalOrganization,
} from "../../tenancy/organization-scope.ts";
import { selectAnchors } from "../anchors/anchored-annotation-queries.ts";
import { renewAddedAnchors } from "../anchors/renew-added-anchors.ts";
import type { StoredAnchor } from "../anchors/renew-anchors.ts";
import { buildRecord } from "../collaborative-document.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { addAutomaticVersion, beginEdit } from "../versions/automatic/add-automatic-version.ts";
import type { ChangedDocument } from "../yjs-document.ts";
import { compactWithoutBlocking } from "../yjs-document-pool.ts";
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

interface StoredChange {
  /** Author of the change; undefined for the backend. */
  userId: string | undefined;
  /** Whether what is replaced becomes an automatic version in any case, not only if no version has it. */
  keepsReplaced?: true;
  /** Returns the changed document. It is called again if a concurrent request has changed the document meanwhile. */
  change(stored: ChangedFrom, authorId: string | null): Promise<ChangedDocument>;
}

/** A stored document that is to change, with the anchors of comments in it. */
export type ChangedFrom = StoredDocument & { anchors: StoredAnchor[] };

/**
 * Replaces a stored document, and notifies other processes. Returns the ID of the version that has what it replaces, if
 * that is kept in any case.
 */
export function changeStoredDocument(
  { database, earlyReads, workspace, log }: Context,
  { organizationId, ...document }: CollaborativeDocumentRef & { organizationId: string },
  { userId, keepsReplaced, change }: StoredChange,
): Promise<string | null> {
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
      const { type, contentKey } = stored;
      const encode = ({ content, ...changed }: ChangedDocument) => {
        return { ...stored, ...changed, record: buildRecord(document.editorId, type, contentKey, content) };
      };
      const compacted =
        keepsReplaced && encode(await compactWithoutBlocking(stored.owner, { type, contentKey, before: stored }));
      const changed = encode(await change({ ...stored, anchors }, authorId));
      const replaced = await organization.transaction((scope) =>
        replaceDocumentAndKeep(scope, document, { compacted, changed: { ...changed, authorId } }),
      );
      if (!replaced) continue;
      await renewAddedAnchors(organization, document, { anchors, renewedAnchors: changed.renewedAnchors });
      await notifyProcesses(organization, [document], log);
      return replaced.versionId;
    }
    throw unavailable("conflict", "Too many concurrent updates of this document. Retry.");
  });
}

type Replacing = Omit<Parameters<typeof replaceDocument>[2], "isCompaction">;

/**
 * Replaces a document. What it was, if it is given as `compacted`, becomes an automatic version, whose ID it returns.
 * Returns undefined if a concurrent request has changed the document.
 */
async function replaceDocumentAndKeep(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { compacted, changed }: { compacted: Replacing | undefined; changed: Replacing },
): Promise<{ versionId: string | null } | undefined> {
  await beginEdit(scope, document);
  if (!compacted) {
    const isReplaced = await replaceDocument(scope, document, { ...changed, isCompaction: false });
    return isReplaced ? { versionId: null } : undefined;
  }
  if (!(await replaceDocument(scope, document, { ...compacted, isCompaction: true }))) return undefined;
  const versionId = await addAutomaticVersion(scope, document, { keepsEmpty: true });
  const written = { ...changed, version: changed.version + 1, updateIds: [], authorIds: [], isCompaction: false };
  return (await replaceDocument(scope, document, written)) ? { versionId } : undefined;
}
