import type { Queryable } from "../../../database/statement.ts";
import { isUuid } from "../../workspaces/workspaces.ts";
import { findSession } from "./queries.ts";

/** As `findSession`; a text that is no id of a workspace names one that is not there. */
export async function findReachable(database: Queryable, tokenHash: Buffer, workspaceId: string | undefined) {
  const isNone = workspaceId !== undefined && !isUuid(workspaceId);
  const found = await findSession(database, tokenHash, isNone ? undefined : workspaceId);
  return found && isNone ? { ...found, workspace: undefined } : found;
}
