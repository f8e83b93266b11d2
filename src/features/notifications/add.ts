import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { Identifier, ItemResult } from "../../contract/schema.ts";
import { ensureDocument } from "../tenancy/ensure-document.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { notify } from "./delivery/notify.ts";
import { newNotificationFields } from "./notification.ts";

const AddRequest = Type.Refine(
  Type.Object({ organizationId: Identifier, documentId: Identifier, ...newNotificationFields }),
  ({ displayHeadlineMessageTemplate, displayBodyMessage, isNotificationResolverUsed }) =>
    isNotificationResolverUsed === true ||
    (typeof displayHeadlineMessageTemplate === "string" && typeof displayBodyMessage === "string"),
  () => "must have displayHeadlineMessageTemplate and displayBodyMessage, unless isNotificationResolverUsed is true",
);

/** Adds a notification and delivers it to inboxes. Overwrites one whose id exists, so a call can be retried. */
export const addNotification = operation({
  path: "/v2/notifications/add",
  summary: "Add a notification",
  description:
    "Delivers the notification to the inboxes of the users in `notifyUsers` and, with `notifyAll` (the default), " +
    "of every other user of the organization except `actionUser`. The current preferences of each user apply: " +
    "`NONE` for inbox never delivers, `MINE` delivers only to users in `notifyUsers`. " +
    "`displayHeadlineMessageTemplate` and `displayBodyMessage` are required unless `isNotificationResolverUsed` " +
    "is true. A `notificationId` that exists in the organization is overwritten and keeps its `timestamp` and " +
    "read state, so the request can be repeated. `timestamp` imports history: the notification takes its place in " +
    "lists and inboxes by it.",
  message: "Notification added.",
  request: AddRequest,
  response: ItemResult,
  errors: ["FAILED_PRECONDITION"],
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
  async handle({ workspace, database }, { organizationId, documentId, ...notification }) {
    const document = {
      organizationKey: organizationKey(workspace.id, organizationId),
      workspaceId: workspace.id,
      organizationId,
      documentId,
    };
    await database.transaction(async (transaction) => {
      await ensureDocument(transaction, document);
      await notify(transaction, [{ workspace, organizationId, documentId, notification }]);
    });
    return { success: true, message: "Notification added." };
  },
});
