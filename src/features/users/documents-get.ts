import Type, { type Static } from "typebox";
import { ACCESS_ROLES } from "../../contract/end-user.ts";
import { invalidField } from "../../contract/errors.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible, assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { UserRecord } from "./user.ts";
import { selectUserDocumentPage } from "./user-document-queries.ts";

const MAX_USERS = 20;
/** Maximum number of users with the documents in which they are involved, for which all their records are read. */
const MAX_INVOLVED_USERS = 5;

const UserDocument = Type.Object({
  documentId: Identifier,
  documentName: Type.String(),
  accessRole: Type.Optional(
    Type.Enum(ACCESS_ROLES, { description: "Role of the permission on the document; absent without one." }),
  ),
  expiresAt: Type.Optional(
    Type.Integer({ description: "End of that permission, in seconds since the epoch.", examples: [1_827_048_600] }),
  ),
  isInvolved: Type.Optional(
    Type.Boolean({ description: "Whether the user is involved. Present with `includeInvolvedDocuments`." }),
  ),
});

const UserWithDocuments = Type.Interface(
  [UserRecord],
  { documents: Type.Array(UserDocument) },
  { title: "UserWithDocuments" },
);

const Request = Type.Object({
  organizationId: Identifier,
  userIds: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: MAX_USERS })),
  includeInvolvedDocuments: Type.Optional(Type.Boolean({ default: false })),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the documents of users, by the IDs of users and documents. */
export const getUserDocuments = operation({
  path: "/v2/users/documents/get",
  summary: "Read the documents of users",
  description:
    "Returns users with the documents on which they have permissions of their own, ordered by ID; documents that a " +
    "permission on a folder or the organization opens are not listed. `userIds` limits it to these users (20). " +
    "With `includeInvolvedDocuments` and `userIds` (5), it also returns the documents in which they have written, " +
    "recorded, reacted or acted, or are mentioned in comments; disabled documents do not count. Users without such " +
    "documents are left out; those without a record have only their `userId`. `pageSize` counts documents. If there " +
    "are more, the response has a `nextPageToken`, and the next page begins with the same user if there are more " +
    "documents of that user.",
  message: "Documents of users retrieved.",
  scope: "read",
  request: Request,
  response: Type.Array(UserWithDocuments),
  cursor: Type.Array(Type.String(), { description: "user ID, type of the resource and document ID" }),
  pageTokenNames: ["nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userIds: ["ada"], includeInvolvedDocuments: true },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, userIds, ...options }: Static<typeof Request>,
) {
  const { includeInvolvedDocuments: includeInvolved = false, pageSize = DEFAULT_PAGE_SIZE } = options;
  if (includeInvolved && (userIds === undefined || userIds.length > MAX_INVOLVED_USERS)) {
    const limit = `must have 1 to ${MAX_INVOLVED_USERS} items with includeInvolvedDocuments`;
    throw invalidField("data.userIds", limit);
  }
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectUserDocumentPage(scope, { userIds, includeInvolved }, { pageSize, after: cursor });
  // Involvement is read from the data of documents, which a disabled organization rejects.
  const assertReadable = includeInvolved ? assertAccessible : assertNotBeingDeleted;
  assertReadable(page.extra, organizationId);
  return new Page(new JsonText(groupedByUser(page.records)), page.next);
}

type Row = [
  user: { userId: string },
  record: { documentName?: string } | null,
  document: Omit<Static<typeof UserDocument>, "documentName">,
];

/** Converts the text of the rows to that of users with their documents. */
function groupedByUser(records: string): string {
  const rows = readRows(records);
  const users = Map.groupBy(rows, ([user]) => user.userId);
  return JSON.stringify(
    [...users.values()].map((group) => ({
      ...group[0]?.[0],
      documents: group.map(([, record, document]) => ({ ...document, documentName: record?.documentName ?? "" })),
    })),
  );
}

/** Parses rows; the cast holds because the service has written the texts. */
function readRows(records: string): Row[] {
  return JSON.parse(records) as Row[];
}
