import Type, { type Static } from "typebox";
import { type Context, JsonText, operation } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { Presence } from "./presence.ts";
import { selectPresence } from "./presence-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  userIds: Type.Optional(Identifiers),
});

/** Reads all users present in a document, by user id. */
export const getPresence = operation({
  path: "/v2/presence/get",
  summary: "Read the presence of users in a document",
  description:
    "Returns all users of the document, ordered by `userId`. `userIds` limits them to these users. A user whose " +
    "presence was not renewed for 10 minutes is `offline`, and is removed after 24 hours.",
  message: "Presence retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(Presence),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7" },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, userIds }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const { users, block } = await selectPresence(scope, documentId, userIds);
  assertAccessible(block, organizationId);
  return new JsonText(users);
}
