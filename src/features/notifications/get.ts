import Type from "typebox";
import { JsonText, operation, Page } from "../../http/operation.ts";
import { Identifiers, PageSize, PageToken } from "../../http/schema.ts";
import { refuseObstacle } from "../organizations/organization.ts";
import { organizationKey } from "../organizations/organization-key.ts";
import { isReadingScope, Notification, readingScopeFault, scopeFields } from "./notification.ts";
import { selectPage } from "./queries.ts";

const GetRequest = Type.Refine(
  Type.Object({
    ...scopeFields,
    notificationIds: Type.Optional(Identifiers),
    order: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  isReadingScope,
  readingScopeFault,
);

/** With a user that user's list, without one everything in the scope. Newest first unless `order` says otherwise. */
export const getNotifications = operation({
  path: "/v2/notifications/get",
  summary: "Read notifications",
  description:
    "Accepted are `organizationId` with `documentId`, with `userId` or with both, each also with `locationId` and " +
    "`notificationIds`. With `userId` it is that user's list: what has reached it and has not left it by being read. " +
    "Without `userId` nothing is left out. Newest first unless `order` is `asc`. A `pageToken` comes back when there " +
    "is more; send it with the same filters.",
  message: "Notifications retrieved.",
  request: GetRequest,
  response: Type.Array(Notification),
  cursor: Type.Array(Type.Integer(), { description: "timestamp, sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace", pageSize: 50 },
  async handle({ workspace, database, cursor }, { organizationId, order = "desc", pageSize = 1000, ...scope }) {
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectPage(database, key, scope, { order, pageSize, after: cursor });
    refuseObstacle(page.beside, organizationId);
    return new Page(new JsonText(page.records), page.next);
  },
});
