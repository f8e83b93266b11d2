import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { isUpdateScope, NotificationUpdate, notificationScopeFields, updateScopeMessage } from "./notification.ts";
import {
  type LockedNotification,
  lockNotifications,
  markNotificationsRead,
  replaceNotificationRecords,
} from "./queries.ts";

const UpdateRequest = Type.Refine(
  Type.Object({
    ...notificationScopeFields,
    notifications: Type.Union([
      Type.Array(NotificationUpdate, { minItems: 1, maxItems: 500 }),
      Type.Interface([NotificationUpdate], {}, { description: "A single notification needs no array." }),
    ]),
  }),
  isUpdateScope,
  updateScopeMessage,
);

/** Replaces the given fields of notifications and marks them as read. An id outside the scope fails alone. */
export const updateNotifications = operation({
  path: "/v1/notifications/update",
  aliases: ["/v2/notifications/update"],
  summary: "Update notifications, or mark them as read",
  description:
    "Accepts `organizationId` with `documentId`, which `locationId` and `userId` may narrow, and " +
    "`organizationId` with `userId`. Replaces each field that is sent as a whole, also with `null`, and keeps " +
    "the others. An ID outside the scope fails alone. `readByUserIds` marks a notification as read by those of " +
    "these users who received it. It then leaves their inboxes permanently, unless `persistReadForUsers` is true.",
  message: "Notifications updated.",
  request: UpdateRequest,
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    userId: "grace",
    notifications: [{ id: "notification-1", displayBodyMessage: "Signed.", readByUserIds: ["grace"] }],
  },
  async handle({ workspace, database }, { organizationId, notifications, ...scope }) {
    const updates = Array.isArray(notifications) ? notifications : [notifications];
    const ids = updates.map(({ id }) => id);
    refuseRepeatedIds(ids, "notifications", "id");
    const key = organizationKey(workspace.id, organizationId);
    const found = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId);
      const locked = await lockNotifications(transaction, key, { ...scope, notificationIds: ids });
      await replaceNotificationRecords(transaction, key, changesOf(updates, locked));
      await markNotificationsRead(transaction, key, readingsOf(updates, locked));
      return locked;
    });
    return keyedById(
      ids.map((id) => [
        id,
        found.has(id)
          ? { success: true, message: "Notification updated." }
          : { success: false, message: "Notification not found." },
      ]),
    );
  },
});

type Locked = Map<string, LockedNotification>;

function changesOf(updates: NotificationUpdate[], locked: Locked) {
  return updates.flatMap(({ id, readByUserIds, persistReadForUsers, ...fields }) => {
    const notification = locked.get(id);
    if (!notification || Object.keys(fields).length === 0) return [];
    const record = JSON.stringify({ ...JSON.parse(notification.record), ...fields });
    return [{ id, userId: fields.actionUser?.userId ?? null, record }];
  });
}

function readingsOf(updates: NotificationUpdate[], locked: Locked) {
  return updates.flatMap(({ id, readByUserIds = [], persistReadForUsers: isKept = false }) => {
    const notification = locked.get(id);
    return notification ? readByUserIds.map((userId) => ({ sequence: notification.sequence, userId, isKept })) : [];
  });
}
