import type { Workspace } from "../../contract/operation.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";

/** Returns for each list of comments whether one of their authors may not comment in the document. */
export async function findDenied(
  scope: OrganizationScope<Workspace>,
  documentId: string,
  lists: readonly { from: { userId: string } }[][],
): Promise<boolean[]> {
  const pairs = lists.map((comments) => comments.map(({ from: { userId } }) => ({ userId, documentId })));
  const isPermitted = await findPermittedUsers(scope, pairs.flat(), "commenter");
  const denied = pairs.map((authors) => !authors.every(isPermitted));
  // A disabled document denies everyone, and is what the error must name.
  if (denied.includes(true)) await requireAccessible(scope, documentId);
  return denied;
}
