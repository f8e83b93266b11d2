import type { Context, Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/statement.ts";
import { selectPosition } from "../event-log/event-log-queries.ts";
import { hasListeners } from "../event-log/record-events.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { getCursor } from "./read-events.ts";

/**
 * Returns a cursor taken before a read. Events after it include every change that the read does not show. Undefined
 * while the changes of the workspace are not written to the event log.
 */
export async function findEventCursor(
  database: Queryable,
  { workspace, events }: Pick<Context, "events"> & { workspace: Workspace },
  organizationId: string,
): Promise<string | undefined> {
  const { eventLog } = workspace;
  if (!eventLog || !hasListeners(workspace) || eventLog.since + events.startMs > Date.now()) return undefined;
  const position = await selectPosition(openOrganization(database, workspace, organizationId));
  return getCursor({ workspace, events }, organizationId, { position, since: eventLog.since });
}
