import type { Grant } from "../../contract/end-user.ts";
import type { Context, Workspace } from "../../contract/operation.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { addMissingEditor, hasOrganizationGrant } from "../access/grant-queries.ts";
import { ensureDocumentForManagement } from "../first-use/ensure-document.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

interface Dependencies extends Pick<Context, "audit"> {
  database: TransactionalQueryable;
}

/**
 * Makes the user of a token an editor of the organizations on which it has grants, if the workspace wants that. An
 * organization on which the user has a stored grant keeps it. Creates missing organizations.
 */
export async function addAutomaticEditors(
  { database, audit }: Dependencies,
  workspace: Workspace,
  userId: string,
  grants: readonly Grant[],
): Promise<void> {
  const { id: workspaceId, requireAutoOrgUser } = workspace;
  if (!requireAutoOrgUser) return;
  const named = grants.flatMap(({ type, organizationId }) => (type === "organization" ? [organizationId] : []));
  for (const organizationId of new Set(named)) {
    const key = organizationKey(workspaceId, organizationId);
    if (await hasOrganizationGrant(database, key, userId)) continue;
    await database.transaction(async (transaction) => {
      await ensureDocumentForManagement(
        transaction,
        workspace,
        { organizationKey: key, workspaceId, organizationId },
        {},
      );
      const isAdded = await addMissingEditor(transaction, key, userId);
      if (isAdded) await audit(transaction, { organizationIds: [organizationId] });
    });
  }
}
