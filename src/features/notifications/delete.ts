import Type, { type Static } from "typebox";
import { type Context, operation, type Workspace } from "../../contract/operation.ts";
import { Identifiers, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { type InTransaction, inOrganization, type OrganizationScope } from "../tenancy/organization-scope.ts";
import { MAX_IDS_RETURNED } from "../tenancy/record-queries.ts";
import { readInboxes, recordInboxEvents } from "./event-log.ts";
import { removeFromInbox } from "./inbox-queries.ts";
import { getInboxUser } from "./inbox-user.ts";
import { lockedChunks } from "./locked-chunks.ts";
import {
  Archived,
  archiveMessage,
  isArchiveOfUser,
  isScope,
  notificationScopeFields,
  type Selection,
  scopeMessage,
} from "./notification.ts";
import { deleteNotificationRows } from "./notification-queries.ts";

const Filtered = Type.Refine(
  Type.Object({
    ...notificationScopeFields,
    notificationIds: Type.Optional(Identifiers),
    archived: Type.Optional(Archived),
  }),
  isScope,
  scopeMessage,
);
const DeleteRequest = Type.Refine(Filtered, isArchiveOfUser, archiveMessage);

/** Deletes the matching notifications: from a user's inbox or, without a user, for everyone. */
export const deleteNotifications = operation({
  path: "/v2/notifications/delete",
  aliases: ["/v1/notifications/delete"],
  summary: "Delete notifications",
  description:
    "Accepts `organizationId` with `documentId`, with `userId` or with both; each also with `locationId` and " +
    "`notificationIds`. Deletes the matching notifications: without `userId` for everyone, with `userId` only from " +
    "the inbox of that user, also those that access rules hide from the user at present. A user token deletes from " +
    "the inbox of its user alone, without those that are hidden. Archived notifications stay, unless `archived` says " +
    "otherwise. With `notificationIds` the response has an item for " +
    "each of these IDs, otherwise one for each deleted notification (the first 50,000).",
  message: "Notifications deleted.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] }, changes: "own" },
  request: DeleteRequest,
  deletes: ["notificationIds", "documentId", "userId"],
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", notificationIds: ["notification-1", "notification-2"] },
  handle,
});

async function handle(
  { database, workspace, user }: Context,
  { organizationId, ...given }: Static<typeof DeleteRequest>,
) {
  const selection = { ...given, seenBy: user && getInboxUser(given.userId, user) };
  const deleted = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, selection.documentId);
    return deleteAll(scope, selection);
  });
  return keyedById(
    [...(selection.notificationIds ?? deleted)].map((id) => [
      id,
      deleted.has(id)
        ? { success: true, message: "Notification deleted." }
        : { success: false, message: "Notification not found." },
    ]),
  );
}

/** Deletes all matches in chunks. Returns the ids of the first 50,000. */
async function deleteAll(
  scope: InTransaction<OrganizationScope<Workspace>>,
  selection: Selection,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const { userId } = selection;
  for await (const sequences of lockedChunks(scope, selection)) {
    const change = { match: { sequences }, userId };
    const before = await readInboxes(scope, change);
    const deleted =
      userId === undefined
        ? await deleteNotificationRows(scope, sequences)
        : await removeFromInbox(scope, userId, sequences);
    await recordInboxEvents(scope, change, before);
    for (const id of deleted) if (ids.size < MAX_IDS_RETURNED) ids.add(id);
  }
  return ids;
}
