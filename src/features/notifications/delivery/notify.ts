import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../../../database/database.ts";
import type { Workspace } from "../../../http/operation.ts";
import { keyedById } from "../../../http/schema.ts";
import { organizationKey } from "../../organizations/organization-key.ts";
import { userKey } from "../../users/user-key.ts";
import type { NewNotification } from "../notification.ts";
import { writeNotification, writeRecipients } from "./queries.ts";

interface Destination {
  workspace: Workspace;
  organizationId: string;
  documentId: string;
}

/**
 * Writes a notification and puts it into the lists of those it is for, as docs/notifications.md says, in a transaction
 * that has entered the place. An existing id is overwritten.
 */
export async function notify(
  transaction: Queryable,
  { workspace, organizationId, documentId }: Destination,
  notification: NewNotification,
): Promise<void> {
  const { notificationId: id = uuidv7(), locationId, actionUser, notifyUsers, notifyAll = true } = notification;
  const namedUserIds = notifyUsers.map(({ userId }) => userId);
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
  const target = {
    organizationKey: organizationKey(workspace.id, organizationId),
    documentId,
    locationId: locationId ?? null,
    actionUserId: actionUser.userId,
  };
  const position = await writeNotification(transaction, { ...target, id, record: JSON.stringify(record) });
  await writeRecipients(transaction, position, { ...target, namedUserIds, notifyAll });
}
