import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, Order, PageSize, PageToken } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { DocumentIds } from "../document.ts";
import { storedFolderFilter } from "../folders/folder.ts";
import { DOCUMENT_ORDERS, selectDocumentStatistics } from "./document-statistics-queries.ts";
import { DocumentStatistics } from "./schema.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentIds: Type.Optional(DocumentIds),
  folderId: Type.Optional(Identifier),
  search: Type.Optional(Identifier),
  disabled: Type.Optional(Type.Boolean()),
  orderBy: Type.Optional(Type.Enum(DOCUMENT_ORDERS, { default: "id" })),
  order: Type.Optional(Order),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the documents of an organization with their statistics, in any order. */
export const getDocumentStatistics = operation({
  path: "/v2/organizations/documents/figures/get",
  summary: "Read documents with their statistics",
  description:
    "Returns the documents of the organization, or with `folderId` those directly in that folder (`root` stands for " +
    "outside of any), each with the number of its comment `annotations`, the number of `users` with a permission of " +
    "their own on it, and the time of its `lastActivity`, null if nothing was written in it, ordered by `orderBy`; " +
    "those that are equal there by ID. By `name`, a document without a name has the place of its ID. `search` is " +
    "a part of the ID or of the name, compared case-insensitively for A to Z, and `documentIds` selects documents by " +
    "their ID. `totalCount` counts all matches. If " +
    "there are more, the response has a `pageToken`; send it with the same filters.",
  message: "Documents retrieved.",
  scope: "read",
  hasEventCursor: true,
  request: Request,
  response: Type.Object({
    documents: Type.Array(DocumentStatistics),
    totalCount: Type.Integer({ minimum: 0, examples: [1] }),
  }),
  cursor: Type.Array(Type.String(), { description: "value of `orderBy`, document ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", orderBy: "lastActivity", order: "desc", pageSize: 50 },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, folderId, ...given }: Static<typeof Request>,
) {
  const { pageSize = DEFAULT_PAGE_SIZE, orderBy = "id", order = "asc", ...filters } = given;
  const scope = openOrganization(database, workspace, organizationId);
  await requireAccessible(scope);
  const { next, ...found } = await selectDocumentStatistics(
    scope,
    { ...filters, folderId: storedFolderFilter(folderId) },
    { orderBy, order, pageSize, after: cursor },
  );
  return new Page(new JsonText(JSON.stringify(found)), next);
}
