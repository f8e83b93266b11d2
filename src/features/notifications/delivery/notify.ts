import { v7 as uuidv7 } from "uuid";
import type { Workspace } from "../../../contract/operation.ts";
import { keyedById } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/statement.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { userKey } from "../../tenancy/user-key.ts";
import type { NewNotification } from "../notification.ts";
import { type NotificationRow, writeNotifications, writeRecipients } from "./queries.ts";

/** Notification to be added to a document. */
export interface NotifyCall {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  notification: NewNotification;
}

/** Approximate maximum number of users in the notifications of one statement. Each record names its users twice. */
const MAX_USERS = 5_000;

/**
 * Writes notifications with different ids and delivers them to inboxes, as docs/notifications.md describes. Overwrites
 * existing ids. The transaction must have ensured the documents.
 */
export async function notify(transaction: Queryable, calls: NotifyCall[]): Promise<void> {
  let chunk: NotificationRow[] = [];
  let users = 0;
  for (const [index, call] of calls.entries()) {
    chunk.push(toRow(call));
    users += call.notification.notifyUsers.length;
    if (users < MAX_USERS && index < calls.length - 1) continue;
    await writeRecipients(transaction, await writeNotifications(transaction, chunk));
    chunk = [];
    users = 0;
  }
}

function toRow({ workspace, organizationId, documentId, notification }: NotifyCall): NotificationRow {
  const { notificationId, locationId, actionUser, notifyUsers, notifyAll = true } = notification;
  const id = notificationId ?? uuidv7();
  const namedUserIds = [...new Set(notifyUsers.map(({ userId }) => userId))];
  const record = {
    id,
    notificationSource: notification.notificationSource ?? "custom",
    notificationSourceData: notification.notificationSourceData,
    actionUser,
    displayHeadlineMessageTemplate: notification.displayHeadlineMessageTemplate,
    displayHeadlineMessageTemplateData: notification.displayHeadlineMessageTemplateData,
    displayBodyMessage: notification.displayBodyMessage,
    metadata: { apiKey: workspace.apiKey, documentId, organizationId, locationId },
    notifyUsers: keyedById(namedUserIds.map((userId) => [userKey(userId), true])),
    notifyUsersByUserId: keyedById(namedUserIds.map((userId) => [userId, true])),
  };
  return {
    organizationKey: organizationKey(workspace.id, organizationId),
    id,
    isNew: notificationId === undefined,
    documentId,
    locationId: locationId ?? null,
    actionUserId: actionUser.userId,
    record: JSON.stringify(record),
    namedUserIds,
    notifyAll,
    timestamp: notification.timestamp ?? null,
  };
}
