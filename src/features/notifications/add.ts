import Type, { type Static } from "typebox";
import { invalidField, ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, ItemResult } from "../../contract/schema.ts";
import { findPermittedUsers, verifyUserPermissionsFlag } from "../access/permitted-users/find-permitted-users.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { createFlag } from "../tenancy/create-flags.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { deliverNotifications } from "./delivery/deliver-notifications.ts";
import { newNotificationFields } from "./notification.ts";

const AddRequest = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    ...newNotificationFields,
    createOrganization: createFlag("organization", "the request is NOT_FOUND"),
    createDocument: createFlag("document", "the request is NOT_FOUND"),
    verifyUserPermissions: verifyUserPermissionsFlag("Whether to leave out recipients who cannot read the document."),
  }),
  ({ displayHeadlineMessageTemplate, displayBodyMessage, displayBodyMessageTemplate, isNotificationResolverUsed }) =>
    isNotificationResolverUsed === true ||
    (typeof displayHeadlineMessageTemplate === "string" &&
      typeof (displayBodyMessage ?? displayBodyMessageTemplate) === "string"),
  () =>
    "must have displayHeadlineMessageTemplate and displayBodyMessage or displayBodyMessageTemplate, unless " +
    "isNotificationResolverUsed is true",
);

/** Adds a notification and delivers it to inboxes. Overwrites one whose id exists, so a call can be retried. */
export const addNotification = operation({
  path: "/v2/notifications/add",
  aliases: ["/v1/notifications/add"],
  summary: "Add a notification",
  description:
    "Delivers the notification to the inboxes of the users in `notifyUsers` and, with `notifyAll` (the default), " +
    "of every other user of the organization except `actionUser`. The current preferences of each user apply: " +
    "`NONE` for inbox never delivers, `MINE` delivers only to users in `notifyUsers`. " +
    "`displayHeadlineMessageTemplate` is required, and `displayBodyMessage` or `displayBodyMessageTemplate`, unless " +
    "`isNotificationResolverUsed` is true. A `location` sets `locationId`, and `metadata` is kept next to the fields " +
    "that the service sets. A `notificationId` that exists in the organization is overwritten and keeps its " +
    "`timestamp` and read state, so the request can be repeated. `timestamp` imports history: the notification takes " +
    "its place in lists and inboxes by it. With `verifyUserPermissions`, users who cannot read the document are no " +
    "recipients.",
  message: "Notification added.",
  scope: "write",
  request: AddRequest,
  response: ItemResult,
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    locationId: "page-2",
    notificationId: "notification-1",
    actionUser: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
    notifyUsers: [{ userId: "grace", name: "Grace Hopper", email: "grace@example.com" }],
    displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser} to sign {document}",
    displayHeadlineMessageTemplateData: {
      actionUser: { userId: "ada", name: "Ada Lovelace" },
      recipientUser: { userId: "grace", name: "Grace Hopper" },
      document: "Contract 7",
    },
    displayBodyMessage: "By the end of the week, please.",
    notifyAll: false,
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  {
    organizationId,
    documentId,
    createOrganization = true,
    createDocument = true,
    ...request
  }: Static<typeof AddRequest>,
) {
  const { verifyUserPermissions, ...notification } = request;
  const { location, locationId = location?.id } = notification;
  if (location && location.id !== locationId) throw invalidField("data.location.id", "must be the same as locationId");
  await inOrganization(database, workspace, organizationId, async (scope) => {
    const missing = await ensureDocument(scope, documentId, { createOrganization, createDocument });
    if (missing) throw new ServiceError("not_found", `${missing} not found.`);
    if (!verifyUserPermissions) return deliverNotifications(scope, [{ documentId, notification }]);
    const named = notification.notifyUsers.map(({ userId }) => ({ userId, documentId }));
    const canRead = await findPermittedUsers(scope, named, "viewer");
    const notifyUsers = notification.notifyUsers.filter(({ userId }) => canRead({ userId, documentId }));
    const verified = { documentId, notification: { ...notification, notifyUsers } };
    return deliverNotifications(scope, [verified], { isVerified: true });
  });
  return { success: true, message: "Notification added." };
}
