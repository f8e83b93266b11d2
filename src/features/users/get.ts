import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import {
  DEFAULT_PAGE_SIZE,
  Identifier,
  Identifiers,
  keyedById,
  PageSize,
  PageToken,
  perId,
} from "../../contract/schema.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { PROFILES, selectProfilePage } from "./profiles.ts";
import { getResource, RESOURCE_FIELDS } from "./resource.ts";
import { UserRecord } from "./user.ts";
import { selectDocumentUsersPage, selectUsersByDocumentPage, selectUsersPage } from "./user-queries.ts";

const Request = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    userIds: Type.Optional(Identifiers),
    organizationUserGroupIds: Type.Optional(Identifiers),
    ...RESOURCE_FIELDS,
    allDocuments: Type.Optional(Type.Boolean({ default: false })),
    groupByDocumentId: Type.Optional(Type.Boolean({ default: false, description: "Requires `allDocuments`." })),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  ({ allDocuments, groupByDocumentId, documentId, folderId }) =>
    allDocuments ? documentId === undefined && folderId === undefined : !groupByDocumentId,
  () => "must have allDocuments without documentId and folderId, and groupByDocumentId only with it",
);

/** Reads users by id. Filters combine with AND, the values in one list with OR. */
export const getUsers = operation({
  path: "/v2/users/get",
  aliases: ["/v1/users/get"],
  summary: "Read the users of an organization, folder or document",
  description:
    "Returns the users of the folder or document named, or else of the organization: those who were added to it, and " +
    "those with a permission on it. They are ordered by ID and have their role there, if any. `allDocuments` " +
    "returns the users of all documents instead, without a role, and with " +
    "`groupByDocumentId` as an object keyed by document ID. The filters `userIds` and `organizationUserGroupIds` " +
    "(members of any of these user groups) combine with AND. Unknown IDs are left out, as are users without a " +
    "record. If there are more, the response has a `nextPageToken`. With a user token, the users of the " +
    "organization are returned if the user has a permission on it, or with `documentId` those whose permissions " +
    "give them access to the document, as `/v2/auth/permissions/explain` lists them; they have `userId`, `name` and " +
    "their photo alone.",
  message: "Users retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: PROFILES,
  request: Request,
  response: Type.Union([Type.Array(UserRecord), perId(Type.Array(UserRecord))]),
  cursor: Type.Array(Type.String(), { description: "document ID if the users are grouped by it, user ID" }),
  pageTokenNames: ["nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", organizationUserGroupIds: ["legal"], pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor, user }: Context<string[]>,
  { organizationId, pageSize = DEFAULT_PAGE_SIZE, ...request }: Static<typeof Request>,
) {
  const { allDocuments, groupByDocumentId, documentId, folderId, ...filters } = request;
  const resource = getResource({ documentId, folderId });
  const scope = openOrganization(database, workspace, organizationId);
  const asked = { pageSize, after: cursor };
  if (user) {
    const profiles = await selectProfilePage(scope, documentId, user, asked);
    return new Page(new JsonText(profiles.records), profiles.next);
  }
  const page = await (groupByDocumentId
    ? selectUsersByDocumentPage(scope, filters, asked)
    : allDocuments
      ? selectDocumentUsersPage(scope, filters, asked)
      : selectUsersPage(scope, resource, filters, asked));
  assertNotBeingDeleted(page.extra, organizationId);
  const records = groupByDocumentId ? groupedByDocument(page.records) : page.records;
  return new Page(new JsonText(records), page.next);
}

/** Converts the text of pairs of document ID and user to that of an object keyed by document ID. */
function groupedByDocument(pairs: string): string {
  const users = Map.groupBy(readPairs(pairs), ([documentId]) => documentId);
  return JSON.stringify(keyedById([...users].map(([id, group]) => [id, group.map(([, user]) => user)])));
}

/** Parses pairs; the cast holds because the service has written the texts. */
function readPairs(pairs: string): [documentId: string, user: unknown][] {
  return JSON.parse(pairs) as [string, unknown][];
}
