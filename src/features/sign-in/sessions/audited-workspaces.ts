import type { Queryable } from "../../../database/statement.ts";
import { EVERY_WORKSPACE } from "../../audit/audit-queries.ts";
import { listReachedWorkspaces } from "../../workspaces/workspace-queries.ts";

/**
 * Returns the workspaces whose audit logs record the begin and end of an owner's sessions: all of the owner. Those of
 * the operator are recorded once, where no owner reads them.
 */
export async function auditedWorkspaces(transaction: Queryable, ownerAddress: string | null): Promise<string[]> {
  if (ownerAddress === null) return [EVERY_WORKSPACE];
  return (await listReachedWorkspaces(transaction, ownerAddress)).map(({ id }) => id);
}
