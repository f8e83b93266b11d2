import { randomUUID } from "node:crypto";
import { RECORD_LIMITS } from "../../../../config/limits.ts";
import type {
  InTransaction,
  StoredOrganization,
  TransactionalOrganization,
} from "../../../tenancy/organization-scope.ts";
import type { CollaborativeDocumentRef } from "../../collaborative-document-ref.ts";
import { insertVersion, lockDocument } from "../version-queries.ts";
import { deleteOldest, hasVersion, limitPrevious, selectKept } from "./automatic-version-queries.ts";
import { markEdited } from "./edit-queries.ts";

/**
 * Stores the state of a collaborative document as an automatic version, unless the newest version has it or it is
 * empty. The version before it is kept for less time if it is of the same hour or day. The oldest ones make room.
 */
export async function addAutomaticVersion(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<void> {
  const locked = await lockDocument(scope, document);
  if (!locked || locked.isEmpty || (await hasVersion(scope, document, locked))) return;
  await deleteOldest(scope, document, {
    keptVersions: RECORD_LIMITS.versions - 1,
    keptBytes: RECORD_LIMITS.versionBytes - locked.bytes,
  });
  const keptDays = await selectKept(scope);
  await insertVersion(scope, document, { id: randomUUID(), clientId: locked.clientId, name: null, keptDays });
  await limitPrevious(scope, document);
}

/** Marks a document as edited, before the change. What it has at the beginning of the editing becomes a version. */
export async function beginEdit(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<void> {
  if (await markEdited(scope, document)) await addAutomaticVersion(scope, document);
}

/** Does so in a transaction of its own. */
export function beginEditing(
  organization: TransactionalOrganization,
  document: CollaborativeDocumentRef,
): Promise<void> {
  return organization.transaction((scope) => beginEdit(scope, document));
}
