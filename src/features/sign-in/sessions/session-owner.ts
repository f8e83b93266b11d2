import type { Context } from "../../../contract/operation.ts";
import { findWorkspace } from "../../workspaces/queries.ts";
import { comparedAddress } from "./queries.ts";

/**
 * Whose sessions the caller may see and end: in a session those of the same person; with a key and a token those of
 * the workspace's owner. The address is in the form that is compared, null for the operator. Undefined: nobody's.
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
