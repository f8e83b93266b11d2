import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";

type NewNotification = Api["/v2/notifications/add"]["request"];
type Scope = Api["/v2/notifications/get"]["request"];
type NotificationUpdate = Exclude<Api["/v2/notifications/update"]["request"]["notifications"], unknown[]>;
type Config = Api["/v2/notifications/config/set"]["request"]["config"];
export type NotificationRecord = Api["/v2/notifications/get"]["response"][number];

/** All fields that a notification is given and returns. */
export const FULL_NOTIFICATION = {
  actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com", photoUrl: "ada.png" },
  displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser} to sign {document}",
  displayHeadlineMessageTemplateData: {
    actionUser: { userId: "ada", name: "Ada Lovelace" },
    recipientUser: { userId: "grace" },
    document: "Contract 7",
  },
  displayBodyMessage: "By the end of the week, please.",
  notificationSource: "comment",
  notificationSourceData: { annotationId: "a1", deep: [{ kept: null }] },
};

/** Returns a new notification to these users with the required fields and the given ones. */
export function notification(notifyUserIds: string[], fields: Partial<NewNotification> = {}): NewNotification {
  return {
    ...SCOPE,
    actionUser: { userId: "ada" },
    notifyUsers: notifyUserIds.map((userId) => ({ userId })),
    displayHeadlineMessageTemplate: "Hello",
    displayBodyMessage: "",
    notifyAll: false,
    ...fields,
  };
}

/** Adds a notification with this ID, by default to grace. */
export function addNotification(
  workspace: TestWorkspace,
  notificationId: string,
  fields: Partial<NewNotification> = {},
) {
  return workspace.data("/v2/notifications/add", notification(["grace"], { notificationId, ...fields }));
}

/** Reads all pages. */
export async function readNotificationPages(workspace: TestWorkspace, scope: Scope): Promise<NotificationRecord[][]> {
  const pages: NotificationRecord[][] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: SCOPE.organizationId, ...scope, ...(pageToken && { pageToken }) };
    const page = await workspace.result("/v2/notifications/get", request);
    pages.push(page.data);
    pageToken = page.pageToken;
  } while (pageToken !== undefined);
  return pages;
}

/** Reads the notifications of all pages, newest first, by default of the document in SCOPE. */
export async function readNotifications(
  workspace: TestWorkspace,
  scope: Scope = { documentId: SCOPE.documentId },
): Promise<NotificationRecord[]> {
  return (await readNotificationPages(workspace, scope)).flat();
}

/** Reads the IDs of all pages, oldest first. */
export async function readNotificationIds(workspace: TestWorkspace, scope?: Scope): Promise<string[]> {
  return (await readNotifications(workspace, scope)).map(({ id }) => id).toReversed();
}

/** Reads the IDs in a user's inbox, oldest first. */
export function readInbox(workspace: TestWorkspace, userId: string, scope: Scope = {}): Promise<string[]> {
  return readNotificationIds(workspace, { userId, ...scope });
}

/** Adds users to the organization, as its editors. */
export function addUsers(workspace: TestWorkspace, userIds: string[], organizationId = SCOPE.organizationId) {
  const users = userIds.map((userId) => ({ userId, accessRole: "editor" as const }));
  return workspace.data("/v2/users/add", { organizationId, users });
}

export function setConfig(workspace: TestWorkspace, userIds: string[], config: Config, documentIds?: string[]) {
  const { organizationId } = SCOPE;
  return workspace.data("/v2/notifications/config/set", { organizationId, userIds, config, documentIds });
}

/** Marks a notification as read by the user. */
export function markAsRead(
  workspace: TestWorkspace,
  id: string,
  userId: string,
  fields: Partial<NotificationUpdate> = {},
) {
  const notifications = { id, readByUserIds: [userId], ...fields };
  const { organizationId } = SCOPE;
  return workspace.data("/v2/notifications/update", { organizationId, userId, notifications });
}
