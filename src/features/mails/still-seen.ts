import { storedAccessRules } from "../access/access-rules.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { seesAnnotations } from "../access/visibility-queries.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";
import { findCallingWorkspace } from "../workspaces/workspace-queries.ts";
import type { TakenMail } from "./mail-queries.ts";

/**
 * Returns whether the recipient may still see what a mail is about: its document and all its annotations. Only stored
 * permissions count, as when it was queued.
 */
export async function isStillSeen(
  organization: StoredOrganization,
  {
    workspaceId,
    documentId,
    userId,
    annotationIds,
  }: Pick<TakenMail, "workspaceId" | "documentId" | "userId" | "annotationIds">,
): Promise<boolean> {
  const workspace = await findCallingWorkspace(organization, workspaceId);
  if (!workspace) return false;
  const rules = storedAccessRules(workspace, organization.key);
  const place = { userId, documentId };
  const mayRead = await findPermittedUsers(organization, rules, [place], "viewer");
  return (
    mayRead(place) &&
    seesAnnotations(organization, { ...rules, user: { userId, grants: [] } }, documentId, annotationIds)
  );
}
