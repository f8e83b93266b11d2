import Type from "typebox";
import { type AccessRole, includesRole } from "../../../contract/end-user.ts";
import type { AccessOrganization } from "../access-queries.ts";
import { selectRoles, type UserInDocument } from "./permitted-user-queries.ts";

/** Returns the schema of `verifyUserPermissions`, by which a backend has the access of users checked. */
export function verifyUserPermissionsFlag(description: string) {
  return Type.Optional(Type.Boolean({ default: false, description }));
}

/**
 * Returns a function that says whether a user has at least the role on a document, for the pairs that are asked for
 * here. Only stored grants count. A missing document has the access that documentRows() describes.
 */
export async function findPermittedUsers(
  organization: AccessOrganization,
  pairs: readonly UserInDocument[],
  role: AccessRole,
): Promise<(pair: UserInDocument) => boolean> {
  const asked = [...new Map(pairs.map((pair) => [getName(pair), pair])).values()];
  const roles = asked.length > 0 ? await selectRoles(organization, asked) : [];
  const permitted = new Set(
    asked.flatMap((pair, index) => (includesRole(roles[index] ?? null, role) ? [getName(pair)] : [])),
  );
  return (pair) => permitted.has(getName(pair));
}

function getName({ userId, documentId }: UserInDocument): string {
  return JSON.stringify([userId, documentId]);
}
