import type { Static } from "typebox";
import type { Context } from "../contract/operation.ts";
import type { Database } from "../database/database.ts";
import { type EventsRequest, getScope } from "../features/events/schema.ts";
import { ConnectedUsers } from "../features/presence/connections/connected-users.ts";
import type { PresenceData } from "../features/presence/data/presence-data.ts";
import type { StartContext } from "./start-context.ts";

/** Keeps users online who have event streams or collaborative documents open. */
export async function openConnectedUsers(
  { config, log, resources }: StartContext,
  { database, presenceData }: { database: Database; presenceData: PresenceData },
): Promise<ConnectedUsers> {
  const { lingeringMs } = config.limits;
  const connectedUsers = new ConnectedUsers(database, log, { presenceSharing: presenceData, lingeringMs });
  resources.defer(() => connectedUsers.stop());
  return connectedUsers;
}

/** Returns the function to call when an event stream opens. That of a user is a connection to each of its documents. */
export function streamPresence(connectedUsers: ConnectedUsers) {
  return ({ workspace, user }: Context, request: Static<typeof EventsRequest>): (() => void) => {
    if (!user) return () => {};
    const { organizationId, documentIds } = getScope(request);
    const ends = documentIds.map((documentId) =>
      connectedUsers.connect({ workspaceId: workspace.id, organizationId, documentId }, user),
    );
    return () => {
      for (const end of ends) end();
    };
  };
}
