import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { buildPresenceEvents } from "./event-log.ts";
import { deletePresenceRows } from "./presence-queries.ts";

const Request = Type.Object({ organizationId: Identifier, documentId: Identifier, userIds: Identifiers });

/** Removes users from a document's presence list. Succeeds for absent users too. */
export const deletePresence = operation({
  path: "/v2/presence/delete",
  summary: "Remove users from the presence of a document",
  description: "Removing a user who is not present is a success. A later heartbeat adds the user again.",
  message: "Presence deleted.",
  scope: "write",
  endUsers: { role: "viewer", on: "documents", identity: { userIds: ["userIds[]"] }, changes: "own" },
  request: Request,
  deletes: ["userIds"],
  response: Type.Object({ success: Type.Boolean() }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", userIds: ["ada"] },
  handle,
});

async function handle(
  { database, workspace, events }: Context,
  { organizationId, documentId, userIds }: Static<typeof Request>,
) {
  const removed = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const deleted = await deletePresenceRows(scope, documentId, userIds);
    const users = deleted.map((userId) => ({ documentId, userId }));
    await recordEvents(scope, buildPresenceEvents("presence.delete", users));
    return { organizationKey: scope.key, users };
  });
  events.presence.remove(removed.organizationKey, removed.users);
  return { success: true };
}
