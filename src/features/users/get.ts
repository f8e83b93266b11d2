import Type from "typebox";
import { JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Identifiers, PageSize, PageToken } from "../../contract/schema.ts";
import { assertNotBeingDeleted } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { selectUsersPage } from "./queries.ts";
import { UserRecord } from "./user.ts";

/** Reads users by id. Filters combine with AND, the values in one list with OR. */
export const getUsers = operation({
  path: "/v2/users/get",
  aliases: ["/v1/users/get"],
  summary: "Read the users of an organization",
  description:
    "Returns users ordered by ID. The filters `userIds`, `organizationUserGroupIds` (members of any of these " +
    "user groups) and `documentId` (members of the document) combine with AND. Unknown IDs are left out. If " +
    "there are more, the answer has a `nextPageToken`.",
  message: "Users retrieved.",
  scope: "read",
  request: Type.Object({
    organizationId: Identifier,
    userIds: Type.Optional(Identifiers),
    organizationUserGroupIds: Type.Optional(Identifiers),
    documentId: Type.Optional(Identifier),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  response: Type.Array(UserRecord),
  cursor: Type.Array(Type.String(), { description: "user ID" }),
  pageTokenNames: ["nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupIds: ["legal"], pageSize: 50 },
  async handle({ workspace, database, cursor }, { organizationId, pageSize = DEFAULT_PAGE_SIZE, ...filters }) {
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectUsersPage(database, key, filters, { pageSize, after: cursor });
    assertNotBeingDeleted(page.extra, organizationId);
    return new Page(new JsonText(page.records), page.next);
  },
});
