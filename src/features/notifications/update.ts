import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { splitIntoParts } from "../../json/record-texts.ts";
import { verifyUserPermissionsFlag } from "../access/permitted-users/find-permitted-users.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { applyChanges, changesContent, getChanges } from "./changes.ts";
import { readInboxes, recordInboxEvents } from "./event-log.ts";
import { markNotificationsRead } from "./inbox-queries.ts";
import { isUpdateScope, NotificationUpdate, notificationScopeFields, updateScopeMessage } from "./notification.ts";
import { type LockedNotification, lockNotifications } from "./notification-queries.ts";
import { getNotificationsV1 } from "./v1-notifications-get.ts";
import { removeDeniedRecipients } from "./verification/verification-queries.ts";
import { verifiedUpdates } from "./verification/verified-updates.ts";

const UpdateRequest = Type.Refine(
  Type.Object({
    ...notificationScopeFields,
    notifications: Type.Union([
      Type.Array(NotificationUpdate, { minItems: 1, maxItems: 500 }),
      Type.Interface([NotificationUpdate], {}, { description: "A single notification needs no array." }),
    ]),
    verifyUserPermissions: verifyUserPermissionsFlag("Whether to ignore users who cannot read the document."),
  }),
  isUpdateScope,
  updateScopeMessage,
);

/** Replaces the given fields of notifications and marks them as read. An id that the filters exclude fails alone. */
export const updateNotifications = operation({
  path: "/v1/notifications/update",
  aliases: ["/v2/notifications/update"],
  summary: "Update notifications, or mark them as read",
  description:
    "Accepts `organizationId` with `documentId`, which `locationId` and `userId` may narrow, and " +
    "`organizationId` with `userId`. Replaces each field that is sent as a whole, also with `null`, and keeps " +
    "the others, except that `displayHeadlineMessageTemplate` without `messageKey` removes the key. An ID outside " +
    "the scope fails alone. `notifyUsers` delivers a notification again, as adding it with these users would: it " +
    "leaves the inboxes of users who are no longer recipients. `location` moves it to the location of its `id`. " +
    "`readByUserIds` marks a notification as read by those of these users who received it. It " +
    "then leaves their inboxes permanently, unless `persistReadForUsers` is true.\n\nWith `verifyUserPermissions`, " +
    "users in `readByUserIds` and `notifyUsers` who cannot read the document are ignored. A notification fails, and " +
    "is not changed, if none of its recipients can read its document.",
  message: "Notifications updated.",
  scope: "write",
  request: UpdateRequest,
  returned: {
    by: getNotificationsV1,
    field: "notifications",
    id: "id",
    request: ({ organizationId, documentId, locationId, userId }, notificationIds) => ({
      organizationId,
      documentId,
      locationId,
      userId,
      notificationIds,
    }),
  },
  response: perId(ItemResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    userId: "grace",
    notifications: [{ id: "notification-1", displayBodyMessage: "Signed.", readByUserIds: ["grace"] }],
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, notifications, verifyUserPermissions = false, ...selection }: Static<typeof UpdateRequest>,
) {
  const list = Array.isArray(notifications) ? notifications : [notifications];
  const given = list.map((update) => ({ verifyUserPermissions, ...update }));
  const ids = given.map(({ id }) => id);
  rejectRepeatedIds(ids, "notifications", "id");
  const { updated, locked: found } = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, selection.documentId);
    const locked = await lockNotifications(scope, { ...selection, notificationIds: ids });
    const updates = await verifiedUpdates(scope, given, locked);
    const changedIds = new Set(updates.filter(changesContent).map(({ id }) => id));
    const change = { match: { ids: updates.map(({ id }) => id) }, changedIds };
    const before = await readInboxes(scope, change);
    for (const part of splitIntoParts(updates, ({ id }) => locked.get(id)?.record.length ?? 0)) {
      const changes = getChanges(part, locked);
      await applyChanges(scope, locked, changes);
      const delivered = changes.filter(({ isDeliveredAgain, isVerified }) => isDeliveredAgain && isVerified);
      await removeDeniedRecipients(scope, delivered);
    }
    await markNotificationsRead(scope, getReadings(updates, locked));
    await recordInboxEvents(scope, change, before);
    return { locked, updated: new Set(updates.map(({ id }) => id)) };
  });
  const getResult = (id: string) => {
    if (!found.has(id)) return { success: false, message: "Notification not found." };
    if (!updated.has(id)) return { success: false, message: "None of its recipients can read the document." };
    return { success: true, message: "Notification updated." };
  };
  return keyedById(ids.map((id) => [id, getResult(id)]));
}

function getReadings(updates: NotificationUpdate[], locked: Map<string, LockedNotification>) {
  return updates.flatMap(({ id, readByUserIds = [], persistReadForUsers: isKept = false }) => {
    const notification = locked.get(id);
    return notification ? readByUserIds.map((userId) => ({ sequence: notification.sequence, userId, isKept })) : [];
  });
}
