import type { Grant } from "../../contract/end-user.ts";
import type { Context, Workspace } from "../../contract/operation.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { addMissingEditor, hasOrganizationRole } from "../access/grant-queries.ts";
import { ensureDocumentForManagement } from "../implicit-creation/ensure-document.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";

interface Dependencies extends Pick<Context, "audit"> {
  database: TransactionalQueryable;
}

/**
 * Makes the user of a token an editor of the organizations on which it has grants, if the workspace wants that. An
 * organization on which the user has a stored role keeps it. Creates missing organizations.
 */
export async function addAutomaticEditors(
  { database, audit }: Dependencies,
  workspace: Workspace,
  userId: string,
  grants: readonly Grant[],
): Promise<void> {
  if (!workspace.requireAutoOrgUser) return;
  const named = grants.flatMap(({ type, organizationId }) => (type === "organization" ? [organizationId] : []));
  for (const organizationId of new Set(named)) {
    if (await hasOrganizationRole(openOrganization(database, workspace, organizationId), userId)) continue;
    await inOrganization(database, workspace, organizationId, async (scope) => {
      await ensureDocumentForManagement(scope);
      const isAdded = await addMissingEditor(scope, userId);
      if (isAdded) await audit(scope, { organizationIds: [organizationId] });
    });
  }
}
