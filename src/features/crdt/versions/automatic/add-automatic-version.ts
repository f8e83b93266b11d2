import { randomUUID } from "node:crypto";
import { RECORD_LIMITS } from "../../../../config/limits.ts";
import type {
  InTransaction,
  StoredOrganization,
  TransactionalOrganization,
} from "../../../tenancy/organization-scope.ts";
import type { CollaborativeDocumentRef } from "../../collaborative-document-ref.ts";
import { insertVersion, lockDocument } from "../version-queries.ts";
import { deleteOldest, findVersionOf, limitPrevious, selectKept } from "./automatic-version-queries.ts";
import { markEdited } from "./edit-queries.ts";

/**
 * Stores the state of a collaborative document as an automatic version, unless the newest version has it. The version
 * before it is kept for less time if it is of the same hour or day. The oldest ones make room. Returns the ID of the
 * version that has the state, or null for an empty one, which is stored only if `keepsEmpty` is true.
 */
export async function addAutomaticVersion(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { keepsEmpty = false } = {},
): Promise<string | null> {
  const locked = await lockDocument(scope, document);
  if (!locked || (locked.isEmpty && !keepsEmpty)) return null;
  const known = await findVersionOf(scope, document, locked);
  if (known !== undefined) return known;
  await deleteOldest(scope, document, {
    keptVersions: RECORD_LIMITS.versions - 1,
    keptBytes: RECORD_LIMITS.versionBytes - locked.bytes,
  });
  const keptDays = await selectKept(scope);
  const id = randomUUID();
  await insertVersion(scope, document, { id, clientId: locked.clientId, name: null, keptDays });
  await limitPrevious(scope, document);
  return id;
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
