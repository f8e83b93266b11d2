import { type Context, operation } from "../../../contract/operation.ts";
import {
  mergeNotificationConfig,
  NotificationConfig,
  NotificationConfigUpdate,
  readNotificationConfig,
} from "./notification-config.ts";
import { lockNotificationConfig, replaceNotificationConfig } from "./workspace-notification-config-queries.ts";

/** Merges the fields sent. Takes effect at once on this process and within a second on the others. */
export const updateNotificationConfig = operation({
  path: "/v2/workspace/notificationconfig/update",
  summary: "Update the configuration of notifications",
  description:
    "Replaces the fields that are sent, at any depth, and keeps the others. The settings apply to the notifications " +
    "of comments, in inboxes and by mail, and not to `/v2/notifications/add`. While `useNotificationService` is " +
    "false, or the trigger of an event, nobody is notified of it.\n\nWith `delayConfig`, notifications are " +
    "delayed, and dropped for users who read the annotation meanwhile. With `batchConfig`, the notifications of a " +
    "user are collected for `batchWindowSeconds` or until there are `maxActivities`, in each document or in all of " +
    "them, and delivered as one digest for each document. What is delayed is delivered on time if the setting is " +
    "turned off.",
  message: "Notification configuration updated.",
  scope: "admin",
  request: NotificationConfigUpdate,
  response: NotificationConfig,
  audit: "notification_config.update",
  example: {
    notificationServiceConfig: {
      triggers: { comment: { priorityChanged: false } },
      delayConfig: { isEnabled: true, delaySeconds: 60 },
    },
  },
  handle,
});

async function handle({ database, workspace, audit, workspaceChanged }: Context, changes: NotificationConfigUpdate) {
  const config = await database.transaction(async (transaction) => {
    const before = readNotificationConfig(await lockNotificationConfig(transaction, workspace.id));
    const after = mergeNotificationConfig(before, changes);
    await replaceNotificationConfig(transaction, workspace.id, JSON.stringify(after));
    const { useNotificationService, notificationServiceConfig = {} } = changes;
    const switched = useNotificationService === undefined ? [] : ["useNotificationService"];
    await audit(transaction, { fields: [...switched, ...Object.keys(notificationServiceConfig)] });
    return after;
  });
  workspaceChanged();
  return config;
}
