import type { AccessRole, EndUser } from "../../contract/end-user.ts";
import { ServiceError } from "../../contract/errors.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { selectAccess } from "./resource-access-queries.ts";

/**
 * Returns the roles of a user on documents, in their order; null denies access. A document that does not exist has the
 * role that it would have outside of any folder. Throws if the organization is missing, disabled or being deleted, or
 * if a document is disabled or moves.
 */
export async function findRoles(
  database: Queryable,
  workspace: Workspace,
  user: EndUser,
  { organizationId, documentIds }: { organizationId: string; documentIds: readonly string[] },
): Promise<(AccessRole | null)[]> {
  const organization = openOrganization(database, workspace, organizationId);
  const { block, isOrganization, documents } = await selectAccess(organization, user, { documentIds });
  assertAccessible(block, organizationId);
  if (!isOrganization) {
    throw new ServiceError(
      "access_denied",
      `The user has no access to organization ${JSON.stringify(organizationId)}.`,
    );
  }
  return documentIds.map((documentId) => {
    const { block = null, grant } = documents.get(documentId) ?? {};
    assertAccessible(block, organizationId);
    return grant?.accessRole ?? null;
  });
}
