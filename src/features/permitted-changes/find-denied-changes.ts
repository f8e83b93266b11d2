import { type AccessRole, type EndUser, includesRole } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import { selectAccess } from "../access/resource-access-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { type ChangeRule, getRequiredRole, type RecordUsers } from "./change-rule.ts";

/** A change that a caller makes to records of a document. */
export interface IntendedChange {
  /** Undefined for a backend, which may change everything. */
  user: EndUser | undefined;
  documentId: string;
  /** Role that the engine has checked before. */
  checkedRole: AccessRole;
  rules: readonly ChangeRule[];
}

/**
 * Returns the roles that the user lacks to change locked records, by their IDs. Reads the user's role again, because it
 * may have been revoked while the request waited for a lock.
 */
export async function findDeniedChanges<Id>(
  scope: InTransaction<OrganizationScope<Workspace>>,
  { user, documentId, checkedRole, rules }: IntendedChange,
  records: Iterable<readonly [Id, RecordUsers]>,
): Promise<Map<Id, AccessRole>> {
  if (!user) return new Map();
  const required = [...records].map(([id, users]) => [id, getRequiredRole(rules, user.userId, users)] as const);
  if (required.every(([, role]) => includesRole(checkedRole, role))) return new Map();
  const { documents } = await selectAccess(scope, user, { documentIds: [documentId] });
  const role = documents.get(documentId)?.grant?.accessRole ?? null;
  return new Map(required.filter(([, needed]) => !includesRole(role, needed)));
}
