import type { Context } from "../contract/operation.ts";
import type { Database } from "../database/database.ts";
import type { EventScope } from "../features/events/read-events.ts";
import { ConnectedUsers } from "../features/presence/connections/connected-users.ts";
import type { StartContext } from "./start-context.ts";

/** Keeps users online who have streams or editors open. */
export async function openConnectedUsers(
  { log, resources }: StartContext,
  database: Database,
): Promise<ConnectedUsers> {
  const connectedUsers = new ConnectedUsers(database, log);
  resources.defer(() => connectedUsers.stop());
  return connectedUsers;
}

/** Returns the function that is told of each event stream. Those of users are connections to the document, if any. */
export function streamPresence(connectedUsers: ConnectedUsers) {
  return ({ workspace, user }: Context<unknown>, { organizationId, documentId }: EventScope): (() => void) => {
    if (!user || documentId === undefined) return () => {};
    return connectedUsers.connect({ workspaceId: workspace.id, organizationId, documentId }, user);
  };
}
