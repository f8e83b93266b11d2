import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { changeInbox, ownNotificationFields } from "./change-inbox.ts";
import { markInboxRead } from "./inbox-queries.ts";
import { persistReadForUsers } from "./notification.ts";

const Request = Type.Object({ ...ownNotificationFields, persistReadForUsers });

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

async function handle(context: Context, { persistReadForUsers: isKept = false, ...own }: Static<typeof Request>) {
  const readCount = await changeInbox(context, own, {
    isUnread: true,
    change: (scope, userId, sequences) => markInboxRead(scope, { userId, sequences, isKept }),
  });
  return { success: true, message: countedMessage(readCount), readCount };
}

function countedMessage(count: number): string {
  return count === 1 ? "1 notification marked as read." : `${count} notifications marked as read.`;
}
