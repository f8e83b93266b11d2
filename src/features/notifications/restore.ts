import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { changeInbox, ownNotificationFields } from "./change-inbox.ts";
import { restoreToInbox } from "./inbox-queries.ts";

const Request = Type.Object(ownNotificationFields);

/** Restores the notifications in a user's archive to the inbox: all of them, those of a place, or some. */
export const restoreNotifications = operation({
  path: "/v2/notifications/restore",
  summary: "Restore a user's archived notifications",
  description:
    "Moves all notifications in the archive of `userId` back to the inbox of this user, or those that match " +
    "`documentId`, `locationId` and `notificationIds`. They take their place by `timestamp`, and are still read. " +
    "`restoredCount` counts the notifications that were restored. Nothing to restore is a success.",
  message: "Notifications restored.",
  scope: "write",
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] }, changes: "own" },
  request: Request,
  response: Type.Object(
    { success: Type.Boolean(), message: Type.String(), restoredCount: Type.Integer() },
    { examples: [{ success: true, message: countedMessage(1), restoredCount: 1 }] },
  ),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", notificationIds: ["notification-1"] },
  handle,
});

async function handle(context: Context, own: Static<typeof Request>) {
  const restoredCount = await changeInbox(context, own, { archived: "only", change: restoreToInbox });
  return { success: true, message: countedMessage(restoredCount), restoredCount };
}

function countedMessage(count: number): string {
  return count === 1 ? "1 notification restored." : `${count} notifications restored.`;
}
