import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { countInboxes } from "./inbox-queries.ts";
import { getTokenGrants } from "./inbox-user.ts";

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Type.Array(Identifier, { minItems: 1, maxItems: 30 }),
  documentId: Type.Optional(Identifier),
  locationId: Type.Optional(Identifier),
});

/** Counts the inboxes of up to 30 users, in one statement. */
export const getNotificationCount = operation({
  path: "/v2/notifications/count/get",
  summary: "Count the notifications in users' inboxes, and those that are unread",
  description:
    "For each of `userIds`, `total` counts what `/v2/notifications/get` returns with this user as `userId`, and " +
    "`unread` those of them whose `isRead` is false. `documentId` and `locationId` limit the count to a place.",
  message: "Notifications counted.",
  scope: "read",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userIds[]"] } },
  request: Request,
  response: perId(Type.Object({ total: Type.Integer(), unread: Type.Integer() })),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["grace"] },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, userIds, ...place }: Static<typeof Request>,
) {
  const organization = openOrganization(database, workspace, organizationId);
  const inboxes = { userIds, tokenGrants: getTokenGrants(user) };
  const { counts, block } = await countInboxes(organization, inboxes, place);
  assertAccessible(block, organizationId);
  return keyedById(userIds.map((userId, index) => [userId, counts[index] ?? { total: 0, unread: 0 }]));
}
