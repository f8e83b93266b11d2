import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_ORDER, DEFAULT_PAGE_SIZE, Identifiers, Order, PageSize, PageToken } from "../../contract/schema.ts";
import {
  Archived,
  archiveMessage,
  isArchiveOfUser,
  isReadScope,
  Notification,
  READ_DESCRIPTION,
  readScopeFields,
  readScopeMessage,
} from "./notification.ts";
import { readPage } from "./read-page.ts";
import { shownTo } from "./shown-to.ts";

const Filtered = Type.Refine(
  Type.Object({
    ...readScopeFields,
    notificationIds: Type.Optional(Identifiers),
    archived: Type.Optional(Archived),
    order: Type.Optional(Order),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  isReadScope,
  readScopeMessage,
);
const GetRequest = Type.Refine(Filtered, isArchiveOfUser, archiveMessage);

/** Reads a user's inbox or, without a user, all notifications that match the filters. */
export const getNotifications = operation({
  path: "/v2/notifications/get",
  summary: "Read notifications",
  description:
    `${READ_DESCRIPTION} unless \`order\` is \`asc\`. If there are more, the response has a \`pageToken\`; send it ` +
    "with the same filters. Users see no other recipients.",
  message: "Notifications retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "optionalDocuments", identity: { userIds: ["userId"] } },
  request: GetRequest,
  response: Type.Array(Notification),
  cursor: Type.Array(Type.Integer(), { description: "timestamp, sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, user, cursor }: Context<number[]>,
  { order = DEFAULT_ORDER, pageSize = DEFAULT_PAGE_SIZE, ...scope }: Static<typeof GetRequest>,
) {
  const page = await readPage(database, { workspace, user }, scope, { order, pageSize, after: cursor });
  return new Page(new JsonText(shownTo(user, page.records)), page.next);
}
