import type { Workspace } from "../src/contract/operation.ts";
import { findCallingWorkspace } from "../src/features/workspaces/workspace-queries.ts";
import type { TestService, TestWorkspace } from "./harness.ts";

/** Returns a workspace with the settings that its requests have. */
export async function readWorkspace({ database }: TestService, { id }: TestWorkspace): Promise<Workspace> {
  const workspace = await findCallingWorkspace(database, id);
  if (!workspace) throw new Error("the workspace does not exist");
  return workspace;
}
