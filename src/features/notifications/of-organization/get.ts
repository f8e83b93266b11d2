import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken, User } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { Notification } from "../notification.ts";
import { MAX_COUNTED, selectOrganizationNotificationPage } from "./organization-notification-queries.ts";

const Count = Type.Integer({ minimum: 0, maximum: MAX_COUNTED, examples: [3] });

const Request = Type.Object({
  organizationId: Identifier,
  notificationIds: Type.Optional(Identifiers),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the notifications of an organization with their recipients. */
export const getOrganizationNotifications = operation({
  path: "/v2/organizations/notifications/get",
  summary: "Read notifications with their recipients",
  description:
    "Returns the notifications of an organization, the last added first, without those of disabled documents. Each " +
    "has the first three `recipients` by user ID, with their user records if there are any and `readAt` once they " +
    "have read it, and the numbers of all recipients and of those who have read it, counted up to " +
    `${MAX_COUNTED}. Recipients stay so after the notification has left their inboxes. \`notificationIds\` limits ` +
    "the response to these IDs. If there are more, the response has a `pageToken`; send it with the same filters.",
  message: "Notifications retrieved.",
  scope: "read",
  hasEventCursor: true,
  request: Request,
  response: Type.Array(
    Type.Interface(
      [Type.Omit(Notification, ["readAtByUserId", "archivedAtByUserId", "isRead", "readAt", "archivedAt"])],
      {
        recipients: Type.Array(
          Type.Object({
            user: User,
            readAt: Type.Optional(Type.Integer({ description: "Milliseconds since the epoch." })),
          }),
        ),
        recipientCount: Count,
        readCount: Count,
      },
      { title: "OrganizationNotification" },
    ),
  ),
  cursor: Type.Array(Type.Integer(), { description: "sequence" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<number[]>,
  { organizationId, notificationIds, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectOrganizationNotificationPage(scope, { notificationIds }, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
