import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, Identifier, PageSize, PageToken } from "../../contract/schema.ts";
import { assertAccessible } from "../tenancy/access-block.ts";
import { type OrganizationScope, openOrganization, transactionalOrganization } from "../tenancy/organization-scope.ts";
import { CollaborativeDocument } from "./collaborative-document.ts";
import {
  selectCollaborativeDocument,
  selectCollaborativeDocumentPage,
  selectCollaborativeDocumentPageWithStates,
} from "./crdt-queries.ts";
import { compactDocuments } from "./stored/compact.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  editorId: Type.Optional(Identifier),
  includeState: Type.Optional(Type.Boolean({ default: false })),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the collaborative documents of a document by ID. The list is empty if there is none. */
export const getCrdt = operation({
  path: "/v2/crdt/get",
  summary: "Read collaborative documents",
  description:
    "Returns the collaborative documents of a document ordered by ID, or with `editorId` only this one. The list " +
    "is empty if there is none. With `includeState` each also has its Yjs document as `state`: a Yjs client that " +
    "applies it shows the content, and merges later changes by `/v2/crdt/update` with what its user types. If " +
    "there are more, the response has a `pageToken`.",
  message: "Collaborative documents retrieved.",
  scope: "read",
  hasEventCursor: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(CollaborativeDocument),
  cursor: Type.Array(Type.String(), { description: "editor ID" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorId: "clause-3" },
  handle,
});

async function handle(
  { database, workspace, cursor }: Context<string[]>,
  { organizationId, documentId, editorId, ...options }: Static<typeof Request>,
) {
  const { includeState = false, pageSize = DEFAULT_PAGE_SIZE } = options;
  const scope = openOrganization(database, workspace, organizationId);
  await compactDocuments(transactionalOrganization(database, scope.key), documentId, editorId);
  const page = await (editorId === undefined
    ? selectAll(scope, documentId, includeState, { pageSize, after: cursor })
    : selectCollaborativeDocument(scope, { documentId, editorId }, includeState));
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}

function selectAll(
  scope: OrganizationScope,
  documentId: string,
  includeState: boolean,
  page: { pageSize: number; after: string[] | undefined },
) {
  return includeState
    ? selectCollaborativeDocumentPageWithStates(scope, documentId, page)
    : selectCollaborativeDocumentPage(scope, documentId, page);
}
