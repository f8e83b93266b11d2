import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { NotificationConfig, readNotificationConfig } from "./notification-config.ts";
import { selectNotificationConfig } from "./workspace-notification-config-queries.ts";

/** Reads how the caller's workspace notifies users of comments. */
export const getNotificationConfig = operation({
  path: "/v2/workspace/notificationconfig/get",
  summary: "Read the configuration of notifications",
  description:
    "Before the first update, `useNotificationService` and all triggers are true, and the delay and both windows " +
    "are off with their smallest values.",
  message: "Notification configuration retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: NotificationConfig,
  example: {},
  handle,
});

async function handle({ database, workspace }: Context) {
  return readNotificationConfig(await selectNotificationConfig(database, workspace.id));
}
