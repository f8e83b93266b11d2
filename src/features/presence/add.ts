import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier } from "../../contract/schema.ts";
import { hasListeners } from "../event-log/record-events.ts";
import { ensureDocumentAndWrite } from "../implicit-creation/ensure-document.ts";
import { inOrganization, openOrganization } from "../tenancy/organization-scope.ts";
import { getPresence } from "./get.ts";
import { NewPresence } from "./presence.ts";
import { renewPresence, renewPresenceAndWriteEvents } from "./presence-renewal-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  users: Type.Array(NewPresence, { minItems: 1, maxItems: 1000 }),
});

/** Records a heartbeat of users in a document: adds absent users and renews present ones. */
export const addPresence = operation({
  path: "/v2/presence/add",
  aliases: ["/v2/presence/update"],
  summary: "Add or renew the presence of users",
  description:
    "Repeat this heartbeat within 10 minutes to keep users online; users with an open event stream or " +
    "collaborative document of the document are online without one. A user whose presence is not renewed for 10 " +
    "minutes is `offline`, and is removed after 24 hours. Without `name` or `email` their values are kept; " +
    "without `status` it is `online`. `/v2/presence/add` and `/v2/presence/update` are the same operation.",
  message: "Presence updated.",
  scope: "write",
  endUsers: { role: "viewer", on: "documents", identity: { users: ["users[]"] }, changes: "own" },
  request: Request,
  returned: {
    by: getPresence,
    field: "users",
    id: "userId",
    request: ({ organizationId, documentId }, userIds) => ({ organizationId, documentId, userIds }),
  },
  response: Type.Object({ success: Type.Boolean() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", status: "online" }],
  },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, documentId, users }: Static<typeof Request>,
) {
  const userIds = users.map(({ userId }) => userId);
  rejectRepeatedIds(userIds, "users", "userId");
  const call = {
    documentId,
    rows: users.map(({ userId, name, email, status = "online" }) => ({
      userId,
      name: name === undefined ? null : JSON.stringify(name),
      email: email === undefined ? null : JSON.stringify(email),
      status,
      source: user ? ("user" as const) : ("backend" as const),
    })),
  };
  const renew = hasListeners(workspace) ? renewPresenceAndWriteEvents : renewPresence;
  if (!(await renew(openOrganization(database, workspace, organizationId), call))) {
    await inOrganization(database, workspace, organizationId, (scope) =>
      ensureDocumentAndWrite(scope, documentId, () => renew(scope, call)),
    );
  }
  return { success: true };
}
