import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { Document, DocumentIds } from "./document.ts";
import { selectDocumentPage } from "./document-queries.ts";
import { storedFolderFilter } from "./folders/folder.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentIds: Type.Optional(DocumentIds),
  folderId: Type.Optional(Identifier),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads documents by id, all of them if no ids are given. Omits unknown ids. */
export const getDocuments = operation({
  path: "/v2/organizations/documents/get",
  aliases: ["/v1/organizations/documents/get"],
  summary: "Read documents",
  description:
    "Returns documents ordered by ID. Unknown IDs are left out. Without `documentIds` all documents of the " +
    "organization are returned, and with `folderId` those directly in that folder, or with `root` those outside of " +
    "any folder. `accessType` is the type that applies: its own, else that of its folder, else the default of the " +
    "workspace. With a user token only those that the user may read are returned. If there are more, the response " +
    "has a `pageToken`, repeated as `nextPageToken`.",
  message: "Documents retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "organization" },
  request: Request,
  response: Type.Array(Document),
  cursor: Type.Array(Type.String(), { description: "document ID" }),
  pageTokenNames: ["pageToken", "nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"] },
  handle,
});

async function handle({ database, workspace, cursor, user }: Context<string[]>, request: Static<typeof Request>) {
  const { organizationId, documentIds, pageSize = DEFAULT_PAGE_SIZE } = request;
  const folderId = storedFolderFilter(request.folderId);
  const scope = openOrganization(database, workspace, organizationId);
  const filters = { documentIds, folderId, readableBy: user };
  const page = await selectDocumentPage(scope, filters, { pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
