import type { FileLimits } from "../../config/config.ts";
import { limitError } from "../../contract/limit-error.ts";
import type { CrossTenantScope, InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { lockAdds, selectFileBytes } from "./file-queries.ts";
import { selectFileBytesOfWorkspace } from "./stored-file-queries.ts";

/** Returns whether a file may have the media type, whose parameters do not count. */
export function isAllowed(contentType: string, types: readonly string[]): boolean {
  const [type = ""] = contentType.toLowerCase().split(";");
  const [main] = type.split("/");
  return types.some((one) => ["*/*", `${main}/*`, type.trim()].includes(one));
}

/**
 * Throws FAILED_PRECONDITION if a new file would exceed what the workspace may have. Further adds of the workspace wait
 * until the transaction ends, so that they count the new file.
 */
export async function assertWorkspaceQuota(
  scope: InTransaction<CrossTenantScope>,
  workspaceId: string,
  { maxBytesOfWorkspace }: FileLimits,
  size: number,
): Promise<void> {
  if (maxBytesOfWorkspace === 0) return;
  await lockAdds(scope, workspaceId);
  const bytes = await selectFileBytesOfWorkspace(scope, workspaceId);
  if (bytes + size <= maxBytesOfWorkspace) return;
  throw limitError("workspace_files", "The files of the workspace would exceed WORKSPACE_FILES_MAX_MIB. Delete some.");
}

/**
 * Throws FAILED_PRECONDITION if a new file would exceed what the user or the organization may have. Their further adds
 * wait in the same way.
 */
export async function assertQuota(
  scope: InTransaction<OrganizationScope>,
  { maxBytesOfUser, maxBytesOfOrganization }: FileLimits,
  size: number,
  userId: string | undefined,
): Promise<void> {
  if (userId !== undefined && maxBytesOfUser > 0) {
    await lockAdds(scope, `${scope.key} ${userId}`);
    if ((await selectFileBytes(scope, userId)) + size > maxBytesOfUser) {
      throw limitError("user_files", "The files of the user would exceed USER_FILES_MAX_MIB. Delete some first.");
    }
  }
  if (maxBytesOfOrganization === 0) return;
  await lockAdds(scope, scope.key);
  if ((await selectFileBytes(scope)) + size <= maxBytesOfOrganization) return;
  const message = "The files of the organization would exceed ORGANIZATION_FILES_MAX_MIB. Delete some first.";
  throw limitError("organization_files", message);
}
