import { accessFieldsColumn, withAccessFields } from "../../../contract/access-context.ts";
import type { Workspace } from "../../../contract/operation.ts";
import { keyedById } from "../../../contract/schema.ts";
import { newId } from "../../../database/new-id.ts";
import { splitIntoParts, withTexts } from "../../../json/record-texts.ts";
import { userKey } from "../../tenancy/organization-key.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { readInboxes, recordInboxEvents } from "../event-log.ts";
import type { NewNotification } from "../notification.ts";
import type { NotificationSubject } from "../notification-subject.ts";
import { removeDeniedRecipients } from "../verification/verification-queries.ts";
import { type RecipientSelection, writeNotifications, writeRecipients } from "./notification-delivery-queries.ts";

/** Notification to be added to a document. */
export interface DocumentNotification {
  documentId: string;
  notification: NewNotification;
  /** Author with whose data the notification is deleted; the acting user by default. */
  authorId?: string;
  /** What a notification of comments is about. */
  subjects?: readonly NotificationSubject[];
}

/** Approximate maximum number of users in the notifications of one statement. Each record names its users twice. */
const MAX_USERS = 5_000;

/**
 * Writes notifications with different ids and delivers them to inboxes, as docs/notifications.md describes. Overwrites
 * existing ids. The transaction must have ensured the documents. With `isVerified` only users who can read the document
 * get them.
 */
export async function deliverNotifications(
  scope: InTransaction<OrganizationScope<Workspace>>,
  notifications: DocumentNotification[],
  { isVerified = false } = {},
): Promise<void> {
  for (const part of splitIntoParts(notifications, ({ notification }) => notification.notifyUsers.length, MAX_USERS)) {
    const rows = withTexts(part.map((each) => toRow(scope, each)));
    const ids = rows.map(({ id }) => id);
    const change = { match: { ids }, changedIds: new Set(ids) };
    const before = await readInboxes(scope, change);
    const written = await writeNotifications(scope, rows);
    await writeRecipients(scope, written);
    if (isVerified) await removeDeniedRecipients(scope, written);
    await recordInboxEvents(scope, change, before);
  }
}

/** Delivers notifications again that the transaction has locked with their recipients, as overwriting them would. */
export async function deliverAgain(scope: OrganizationScope, deliveries: RecipientSelection[]): Promise<void> {
  for (const part of splitIntoParts(deliveries, ({ namedUserIds }) => namedUserIds.length, MAX_USERS)) {
    await writeRecipients(scope, part);
  }
}

/** Returns the fields of a record that list the users to notify. */
export function recipientFields(userIds: string[]) {
  return {
    notifyUsers: keyedById(userIds.map((userId) => [userKey(userId), true])),
    notifyUsersByUserId: keyedById(userIds.map((userId) => [userId, true])),
  };
}

/** Returns the ids of the users, each once. */
export function getNamedUserIds(notifyUsers: { userId: string }[]): string[] {
  return [...new Set(notifyUsers.map(({ userId }) => userId))];
}

function toRow(
  { workspace, organizationId }: OrganizationScope<Workspace>,
  { documentId, notification, authorId, subjects }: DocumentNotification,
) {
  const { notificationId, location, actionUser, notifyUsers, notifyAll = true } = notification;
  const locationId = location?.id ?? notification.locationId;
  const id = notificationId ?? newId();
  const namedUserIds = getNamedUserIds(notifyUsers);
  const record = {
    id,
    notificationSource: notification.notificationSource ?? "custom",
    notificationSourceData: notification.notificationSourceData,
    actionUser,
    displayHeadlineMessageTemplate: notification.displayHeadlineMessageTemplate,
    displayHeadlineMessageTemplateData: notification.displayHeadlineMessageTemplateData,
    messageKey: notification.messageKey,
    displayBodyMessage: notification.displayBodyMessage,
    displayBodyMessageTemplate: notification.displayBodyMessageTemplate,
    displayBodyMessageTemplateData: notification.displayBodyMessageTemplateData,
    context: notification.context && withAccessFields(notification.context),
    location,
    metadata: { ...notification.metadata, apiKey: workspace.apiKey, documentId, organizationId, locationId },
    ...recipientFields(namedUserIds),
  };
  return {
    id,
    isNew: notificationId === undefined,
    documentId,
    locationId: locationId ?? null,
    actionUserId: authorId ?? actionUser.userId,
    record,
    accessFields: accessFieldsColumn(record.context),
    subjects,
    namedUserIds,
    notifyAll,
    timestamp: notification.timestamp ?? null,
  };
}
