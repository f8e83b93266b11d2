import type { Context } from "../../../contract/operation.ts";
import { findWorkspace } from "../../workspaces/workspace-queries.ts";
import { comparedAddress } from "./session-queries.ts";

/**
 * Returns the owner whose sessions the caller may see and end: the session's own, or the workspace's owner for a key
 * and a token. The address is in the compared form, null for the operator; undefined if there is no owner.
 */
export async function sessionOwner({
  database,
  workspace,
  session,
}: Pick<Context, "database" | "workspace" | "session">): Promise<{ address: string | null } | undefined> {
  if (session) return { address: session.ownerAddress };
  const ownerEmail = (await findWorkspace(database, { id: workspace.id }))?.ownerEmail;
  return ownerEmail ? { address: comparedAddress(ownerEmail) } : undefined;
}
