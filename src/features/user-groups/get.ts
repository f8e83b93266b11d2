import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { UserGroup } from "./user-group.ts";
import { selectGroupNamePage, selectGroupPage } from "./user-group-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  organizationUserGroupIds: Type.Optional(Identifiers),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads groups by id, all of them if no ids are given. Omits unknown ids. */
export const getGroups = operation({
  path: "/v2/organizations/usergroups/get",
  summary: "Read user groups with their members",
  description:
    "Returns user groups ordered by ID, each with all its members ordered by ID. Unknown IDs are left out. " +
    "Without `organizationUserGroupIds` all user groups of the organization are returned. If there are more, the " +
    "response has a `nextPageToken`. With a user token, the groups are returned without their members, and only if " +
    "the user has a permission on the organization.",
  message: "User groups retrieved.",
  scope: "read",
  endUsers: {
    ...{ role: "viewer", on: "organization" },
    request: Type.Object({
      organizationId: Identifier,
      pageSize: Type.Optional(PageSize),
      pageToken: Type.Optional(PageToken),
    }),
  },
  request: Request,
  response: Type.Array(UserGroup),
  cursor: Type.Array(Type.String(), { description: "group ID" }),
  pageTokenNames: ["nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupIds: ["legal"] },
  handle,
});

async function handle(
  { database, workspace, cursor, user }: Context<string[]>,
  { organizationId, organizationUserGroupIds, pageSize = DEFAULT_PAGE_SIZE }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const asked = { pageSize, after: cursor };
  const page = user
    ? await selectGroupNamePage(scope, user, asked)
    : await selectGroupPage(scope, organizationUserGroupIds, asked);
  assertNotBeingDeleted(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
