import Type from "typebox";
import { JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_ORDER, DEFAULT_PAGE_SIZE, Identifiers, Order, PageSize, PageToken } from "../../contract/schema.ts";
import { isReadScope, Notification, readScopeFields, readScopeMessage } from "./notification.ts";
import { readPage } from "./read-page.ts";

const GetRequest = Type.Refine(
  Type.Object({
    ...readScopeFields,
    notificationIds: Type.Optional(Identifiers),
    order: Type.Optional(Order),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  isReadScope,
  readScopeMessage,
);

/** Reads a user's inbox or, without a user, all notifications of the scope. */
export const getNotifications = operation({
  path: "/v2/notifications/get",
  summary: "Read notifications",
  description:
    "Accepts `organizationId` with `documentId`, with `userId` or with both; each also with `locationId` and " +
    "`notificationIds`. Without `organizationId`, `documentId` with `userId`, with `locationId` or with both " +
    "reads every organization that has a document with this ID; the request is refused if one of them is " +
    "disabled.\n\nWith `userId` the answer is the inbox of that user, with `isRead` and, once read, `readAt`. " +
    "Without `userId` it has all notifications, read ones included, with `readAtByUserId`. Notifications are ordered " +
    "newest first unless `order` is `asc`. If there are more, the answer has a `pageToken`; send it with the same " +
    "filters.",
  message: "Notifications retrieved.",
  request: GetRequest,
  response: Type.Array(Notification),
  cursor: Type.Array(Type.Integer(), { description: "timestamp, sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", pageSize: 50 },
  async handle({ workspace, database, cursor }, { order = DEFAULT_ORDER, pageSize = DEFAULT_PAGE_SIZE, ...scope }) {
    const page = await readPage(database, workspace.id, scope, { order, pageSize, after: cursor });
    return new Page(new JsonText(page.records), page.next);
  },
});
