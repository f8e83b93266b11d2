import { v7 as uuidv7 } from "uuid";
import type { Workspace } from "../../../contract/operation.ts";
import { keyedById } from "../../../contract/schema.ts";
import type { Queryable } from "../../../database/database.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { userKey } from "../../tenancy/user-key.ts";
import type { NewNotification } from "../notification.ts";
import { type NewRow, writeNotifications, writeRecipients } from "./queries.ts";

export interface Delivery {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
  notification: NewNotification;
}

/** Named by the notifications of one statement, roughly: their records name each user twice. */
const MAX_USERS = 5_000;

/**
 * Writes notifications and puts them into the lists of those they are for, as docs/notifications.md says, in a
 * transaction that has found their places open. An existing id is overwritten; one id may be given once.
 */
export async function notify(transaction: Queryable, deliveries: Delivery[]): Promise<void> {
  let chunk: NewRow[] = [];
  let users = 0;
  for (const [index, delivery] of deliveries.entries()) {
    chunk.push(toRow(delivery));
    users += delivery.notification.notifyUsers.length;
    if (users < MAX_USERS && index < deliveries.length - 1) continue;
    await writeRecipients(transaction, await writeNotifications(transaction, chunk));
    chunk = [];
    users = 0;
  }
}

function toRow({ workspace, organizationId, documentId, notification }: Delivery): NewRow {
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
  };
}
