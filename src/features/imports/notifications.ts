import Type, { type Static } from "typebox";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, PastTime } from "../../contract/schema.ts";
import { isObject } from "../../json/is-object.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { deliverNotifications } from "../notifications/delivery/deliver-notifications.ts";
import { getNotifications } from "../notifications/get.ts";
import { markNotificationsRead } from "../notifications/inbox-queries.ts";
import { newNotificationFields } from "../notifications/notification.ts";
import { lockNotifications } from "../notifications/notification-queries.ts";
import { type InTransaction, type OrganizationScope, openOrganization } from "../tenancy/organization-scope.ts";
import { toContext } from "./exported-annotation.ts";
import { type ExportedRecord, importKind, type Outcome, parentIdsIn } from "./import-kind.ts";

const { notifyAll: _, notificationId: _n, ...fields } = newNotificationFields;

const Item = Type.Object({
  ...fields,
  notificationId: Identifier,
  readAtByUserId: Type.Optional(Type.Record(Identifier, PastTime)),
  archivedAtByUserId: Type.Optional(Type.Record(Identifier, PastTime)),
});

/** Notifications with their times, recipients, and who has read them. */
export const notifications = importKind({
  belongsTo: "document",
  batchSize: 500,
  schema: Item,
  convert({
    id,
    metadata,
    context,
    notifyUsers,
    notifyUsersByUserId,
    isRead: _i,
    readAt: _r,
    archivedAt: _a,
    ...record
  }) {
    const named = isObject(notifyUsersByUserId)
      ? Object.keys(notifyUsersByUserId).map((userId) => ({ userId }))
      : notifyUsers;
    const given = { ...record, ...(context !== undefined && { context: toContext(context) }) };
    const identified = id === undefined ? given : { notificationId: id, ...given };
    return {
      ...parentIdsIn(metadata),
      item: { ...identified, ...(named !== undefined && { notifyUsers: named }), ...ownMetadata(metadata) },
    };
  },
  async write({ transaction, workspace, operations }, { organizationId, items }) {
    const notificationIds = items.map(({ item }) => item.notificationId);
    rejectRepeatedIds(notificationIds, "notifications", "id");
    const existing = await operations.readAll(getNotifications, { organizationId, notificationIds });
    const existingIds = new Set(existing.map(({ id }) => id));
    const missing = items.filter(({ item }) => !existingIds.has(item.notificationId));
    const scope = openOrganization(transaction, workspace, organizationId);
    for (const documentId of new Set(missing.map((each) => each.documentId ?? ""))) {
      await ensureDocument(scope, documentId);
    }
    await deliverNotifications(
      scope,
      missing.map(
        ({ documentId = "", item: { readAtByUserId: _read, archivedAtByUserId: _archived, ...notification } }) => ({
          documentId,
          notification: { ...notification, notifyAll: false },
        }),
      ),
    );
    await restoreReadings(
      scope,
      missing.map(({ item }) => item),
    );
    return notificationIds.map((id): Outcome => (existingIds.has(id) ? "existed" : "added"));
  },
});

/** Returns the metadata that callers have added, and the location. */
function ownMetadata(metadata: unknown): ExportedRecord {
  if (!isObject(metadata)) return {};
  const { apiKey: _a, organizationId: _o, documentId: _d, locationId, ...own } = metadata;
  return { ...(Object.keys(own).length > 0 && { metadata: own }), ...(locationId !== undefined && { locationId }) };
}

/** Marks notifications as read by those who had read them, and archives them for those who had archived them. */
async function restoreReadings(scope: InTransaction<OrganizationScope>, items: Static<typeof Item>[]): Promise<void> {
  const read = items.filter((item) => getReaders(item).length > 0);
  if (read.length === 0) return;
  const notificationIds = read.map((item) => item.notificationId);
  const locked = await lockNotifications(scope, { notificationIds });
  const readings = read.flatMap((item) => {
    const { sequence = 0 } = locked.get(item.notificationId) ?? {};
    return getReaders(item).map((reader) => ({ sequence, isKept: false, ...reader }));
  });
  await markNotificationsRead(scope, readings);
}

function getReaders({ readAtByUserId = {}, archivedAtByUserId = {} }: Static<typeof Item>) {
  const readAt = new Map([...Object.entries(archivedAtByUserId), ...Object.entries(readAtByUserId)]);
  const archivedAt = new Map(Object.entries(archivedAtByUserId));
  return [...readAt].map(([userId, time]) => ({ userId, readAt: time, archivedAt: archivedAt.get(userId) }));
}
