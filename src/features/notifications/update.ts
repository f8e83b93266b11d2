import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { refuseRepeatedIds } from "../../contract/repeated-ids.ts";
import { ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { requireAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { applyChanges, changesOf } from "./changes.ts";
import { markNotificationsRead } from "./inbox/queries.ts";
import { isUpdateScope, NotificationUpdate, notificationScopeFields, updateScopeMessage } from "./notification.ts";
import { type LockedNotification, lockNotifications } from "./queries.ts";

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
    "the others. An ID outside the scope fails alone. `notifyUsers` delivers a notification again, as adding it with " +
    "these users would: it leaves the inboxes of users who are no recipients anymore. `location` moves it to the " +
    "location of its `id`. `readByUserIds` marks a notification as read by those of these users who received it. It " +
    "then leaves their inboxes permanently, unless `persistReadForUsers` is true.",
  message: "Notifications updated.",
  scope: "write",
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
      await requireAccessible(transaction, key, organizationId, scope.documentId);
      const locked = await lockNotifications(transaction, key, { ...scope, notificationIds: ids });
      await applyChanges(transaction, key, locked, await changesOf(key, updates, locked));
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

function readingsOf(updates: NotificationUpdate[], locked: Map<string, LockedNotification>) {
  return updates.flatMap(({ id, readByUserIds = [], persistReadForUsers: isKept = false }) => {
    const notification = locked.get(id);
    return notification ? readByUserIds.map((userId) => ({ sequence: notification.sequence, userId, isKept })) : [];
  });
}
