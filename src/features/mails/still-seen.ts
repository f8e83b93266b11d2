import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { seesAnnotations } from "../access/visibility-queries.ts";
import { identifyOrganization, type StoredOrganization } from "../tenancy/organization-scope.ts";
import { findCallingWorkspace } from "../workspaces/workspace-queries.ts";
import type { TakenMail } from "./mail-queries.ts";

/**
 * Returns whether the recipient may still see what a mail is about: its document and all its annotations. Only stored
 * permissions count, as when it was queued.
 */
export async function isStillSeen(
  stored: StoredOrganization,
  {
    workspaceId,
    organizationId,
    documentId,
    userId,
    annotationIds,
  }: Pick<TakenMail, "workspaceId" | "organizationId" | "documentId" | "userId" | "annotationIds">,
): Promise<boolean> {
  const workspace = await findCallingWorkspace(stored, workspaceId);
  if (!workspace || organizationId === null) return false;
  const organization = identifyOrganization(stored, workspace, organizationId);
  const place = { userId, documentId };
  const mayRead = await findPermittedUsers(organization, [place], "viewer");
  return mayRead(place) && seesAnnotations(organization, { userId, grants: [] }, documentId, annotationIds);
}
