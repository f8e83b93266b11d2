import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { organizationScope } from "../access/organization-scope.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { requireAccessible } from "../tenancy/access-block.ts";

/** Returns for each list of comments whether one of their authors may not write in the document. */
export async function findDenied(
  database: Queryable,
  workspace: Workspace,
  { organizationId, documentId }: { organizationId: string; documentId: string },
  lists: readonly { from: { userId: string } }[][],
): Promise<boolean[]> {
  const pairs = lists.map((comments) => comments.map(({ from: { userId } }) => ({ userId, documentId })));
  const scope = organizationScope(workspace, organizationId);
  const isPermitted = await findPermittedUsers(database, scope, pairs.flat(), "editor");
  const denied = pairs.map((authors) => !authors.every(isPermitted));
  // A disabled document denies everyone, and is what the error must name.
  if (denied.includes(true)) await requireAccessible(database, scope.organizationKey, organizationId, documentId);
  return denied;
}
