import Type, { type Static } from "typebox";
import { type Context, JsonText, operation, Page } from "../../../contract/operation.ts";
import { DEFAULT_PAGE_SIZE, PageSize, PageToken } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { DOCUMENT_REF_FIELDS, VersionKind, VersionSummary } from "./version.ts";
import { selectVersionPage } from "./version-queries.ts";

const Request = Type.Object({
  ...DOCUMENT_REF_FIELDS,
  kind: Type.Optional(VersionKind),
  pageSize: Type.Optional(PageSize),
  pageToken: Type.Optional(PageToken),
});

/** Reads the names and times of the versions of a collaborative document, newest first. */
export const listCrdtVersions = operation({
  path: "/v2/crdt/versions/list",
  summary: "List the versions of a collaborative document",
  description:
    "Returns the versions of a collaborative document without their content, newest first: the named and the " +
    "automatic ones, or those of one `kind`. The list is empty if there is none. If there are more, the response has " +
    "a `pageToken`. The response to a user has the user's `accessRole` on the document, by which a page knows what " +
    "to offer.",
  message: "Versions retrieved.",
  scope: "read",
  hasAccessRole: true,
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: Type.Array(VersionSummary),
  cursor: Type.Array(Type.Integer(), { description: "creation time" }),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorId: "clause-3" },
  handle,
});

async function handle({ database, workspace, cursor }: Context<number[]>, request: Static<typeof Request>) {
  const { organizationId, documentId, editorId, kind, pageSize = DEFAULT_PAGE_SIZE } = request;
  const scope = openOrganization(database, workspace, organizationId);
  const page = await selectVersionPage(scope, { documentId, editorId }, { kind, pageSize, after: cursor });
  assertAccessible(page.extra, organizationId);
  return new Page(new JsonText(page.records), page.next);
}
