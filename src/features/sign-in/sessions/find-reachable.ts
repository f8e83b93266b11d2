import type { Queryable } from "../../../database/statement.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { findSession } from "./session-queries.ts";

/** Finds a session like findSession. A text that is not a workspace ID names a workspace that does not exist. */
export async function findReachable(database: Queryable, tokenHash: Buffer, workspaceId: string | undefined) {
  const isNone = workspaceId !== undefined && !isUuid(workspaceId);
  const found = await findSession(database, tokenHash, isNone ? undefined : workspaceId);
  return found && isNone ? { ...found, workspace: undefined } : found;
}
