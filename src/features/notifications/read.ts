import Type, { type Static } from "typebox";
import { type Context, operation, type Workspace } from "../../contract/operation.ts";
import { Identifier, Identifiers } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { type InTransaction, inOrganization, type OrganizationScope } from "../tenancy/organization-scope.ts";
import { readInboxes, recordInboxEvents } from "./event-log.ts";
import { markInboxRead } from "./inbox-queries.ts";
import { getInboxUser } from "./inbox-user.ts";
import { lockedChunks } from "./locked-chunks.ts";
import { notificationScopeFields, persistReadForUsers, type Selection } from "./notification.ts";

const Request = Type.Object({
  ...notificationScopeFields,
  userId: Identifier,
  notificationIds: Type.Optional(Identifiers),
  persistReadForUsers,
});

/** Marks a user's unread notifications as read: all of them, those of a place, or some. */
export const readNotifications = operation({
  path: "/v2/notifications/read",
  summary: "Mark a user's notifications as read",
  description:
    "Marks all unread notifications in the inbox of `userId` as read, or those that match `documentId`, `locationId` " +
    "and `notificationIds`, as `/v2/notifications/get` does. They leave the inbox permanently, unless " +
    "`persistReadForUsers` is true. Those that were read before stay as they are. `readCount` counts the " +
    "notifications that were marked. Nothing to mark is a success.",
  message: "Notifications read.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] }, changes: "own" },
  request: Request,
  response: Type.Object(
    { success: Type.Boolean(), message: Type.String(), readCount: Type.Integer() },
    { examples: [{ success: true, message: countedMessage(1), readCount: 1 }] },
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", persistReadForUsers: true },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, persistReadForUsers: isKept = false, ...given }: Static<typeof Request>,
) {
  const selection = { ...given, seenBy: getInboxUser(given.userId, user) };
  const readCount = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, selection.documentId);
    return readAll(scope, selection, isKept);
  });
  return { success: true, message: countedMessage(readCount), readCount };
}

/** Marks all matches in chunks. Returns how many. */
async function readAll(
  scope: InTransaction<OrganizationScope<Workspace>>,
  selection: Selection & { userId: string },
  isKept: boolean,
): Promise<number> {
  let count = 0;
  const { userId } = selection;
  for await (const sequences of lockedChunks(scope, selection, { isUnread: true })) {
    const change = { match: { sequences }, userId };
    const before = await readInboxes(scope, change);
    await markInboxRead(scope, { userId, sequences, isKept });
    await recordInboxEvents(scope, change, before);
    count += sequences.length;
  }
  return count;
}

function countedMessage(count: number): string {
  return count === 1 ? "1 notification marked as read." : `${count} notifications marked as read.`;
}
