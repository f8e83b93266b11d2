import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { Preference } from "./notification-config.ts";
import { selectDocumentPreferencePage } from "./notification-config-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  userId: Identifier,
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads what a user has set for single documents. */
export const getDocumentNotificationConfigs = operation({
  path: "/v2/notifications/config/documents/get",
  summary: "Read a user's notification preferences for documents",
  description:
    "Returns the documents of the organization for which the user has preferences of their own, ordered by ID, each " +
    "with the channels that are set there. Other channels have the preference for the organization, which " +
    "`/v2/notifications/config/get` returns. Disabled documents are left out and, for a user token, those that " +
    "the user cannot read. If there are more, the response has a `pageToken`; send it with the same filters.",
  message: "Notification preferences retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "organization", identity: { userIds: ["userId"] } },
  request: Request,
  response: Type.Array(
    Type.Object({
      documentId: Identifier,
      config: Type.Object({
        inbox: Type.Optional(Preference),
        email: Type.Optional(Preference),
        slack: Type.Optional(Preference),
      }),
    }),
  ),
  cursor: Type.Array(Type.String(), { description: "document ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "grace" },
  handle,
});

async function handle(
  { database, workspace, user, cursor }: Context<string[]>,
  { organizationId, userId, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectDocumentPreferencePage(scope, { userId, seenBy: user }, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
