import Type from "typebox";
import { JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { Document, DocumentIds } from "./document.ts";
import { selectDocumentPage } from "./queries.ts";

/** Reads documents by id, all of them if no ids are given. Omits unknown ids. */
export const getDocuments = operation({
  path: "/v2/organizations/documents/get",
  aliases: ["/v1/organizations/documents/get"],
  summary: "Read documents",
  description:
    "Returns documents ordered by ID. Unknown IDs are left out. Without `documentIds` all documents of the " +
    "organization are returned. If there are more, the answer has a `pageToken`, repeated as `nextPageToken`.",
  message: "Documents retrieved.",
  scope: "read",
  request: Type.Object({
    organizationId: Identifier,
    documentIds: Type.Optional(DocumentIds),
    pageSize: Type.Optional(PageSize),
    pageToken: Type.Optional(PageToken),
  }),
  response: Type.Array(Document),
  cursor: Type.Array(Type.String(), { description: "document ID" }),
  pageTokenNames: ["pageToken", "nextPageToken"],
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"] },
  async handle({ workspace, database, cursor }, { organizationId, documentIds, pageSize = DEFAULT_PAGE_SIZE }) {
    const key = organizationKey(workspace.id, organizationId);
    const page = await selectDocumentPage(database, key, documentIds, { pageSize, after: cursor });
    assertAccessible(page.extra, organizationId);
    return new Page(new JsonText(page.records), page.next);
  },
});
