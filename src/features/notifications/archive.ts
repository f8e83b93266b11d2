import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { changeInbox, ownNotificationFields } from "./change-inbox.ts";
import { archiveInInbox } from "./inbox-queries.ts";

const Request = Type.Object(ownNotificationFields);

/** Archives the notifications in a user's inbox: all of them, those of a place, or some. */
export const archiveNotifications = operation({
  path: "/v2/notifications/archive",
  summary: "Archive a user's notifications",
  description:
    "Moves all notifications in the inbox of `userId` to the archive of this user, or those that match `documentId`, " +
    "`locationId` and `notificationIds`, as `/v2/notifications/get` does. Archived notifications are read, and " +
    "neither listed nor counted unless `archived` of `/v2/notifications/get` says so. The inboxes of other users " +
    "keep them. `archivedCount` counts the notifications that were archived. Nothing to archive is a success.",
  message: "Notifications archived.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] }, changes: "own" },
  request: Request,
  response: Type.Object(
    { success: Type.Boolean(), message: Type.String(), archivedCount: Type.Integer() },
    { examples: [{ success: true, message: countedMessage(1), archivedCount: 1 }] },
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", notificationIds: ["notification-1"] },
  handle,
});

async function handle(context: Context, own: Static<typeof Request>) {
  const archivedCount = await changeInbox(context, own, { change: archiveInInbox });
  return { success: true, message: countedMessage(archivedCount), archivedCount };
}

function countedMessage(count: number): string {
  return count === 1 ? "1 notification archived." : `${count} notifications archived.`;
}
