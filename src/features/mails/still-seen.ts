import type { Queryable } from "../../database/statement.ts";
import { storedScope } from "../access/organization-scope.ts";
import { findPermittedUsers } from "../access/permitted-users/find-permitted-users.ts";
import { seesAnnotations } from "../access/visibility-queries.ts";
import { findCallingWorkspace } from "../workspaces/workspace-queries.ts";
import type { TakenMail } from "./mail-queries.ts";

/**
 * Returns whether the recipient may still see what a mail is about: its document and all its annotations. Only stored
 * permissions count, as when it was queued.
 */
export async function isStillSeen(
  database: Queryable,
  organizationKey: string,
  {
    workspaceId,
    documentId,
    userId,
    annotationIds,
  }: Pick<TakenMail, "workspaceId" | "documentId" | "userId" | "annotationIds">,
): Promise<boolean> {
  const workspace = await findCallingWorkspace(database, workspaceId);
  if (!workspace) return false;
  const scope = storedScope(workspace, organizationKey);
  const place = { userId, documentId };
  const mayRead = await findPermittedUsers(database, scope, [place], "viewer");
  return (
    mayRead(place) && seesAnnotations(database, { ...scope, user: { userId, grants: [] } }, documentId, annotationIds)
  );
}
