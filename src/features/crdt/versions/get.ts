import Type, { type Static } from "typebox";
import { type Context, JsonText, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { assertAccessible } from "../../tenancy/access-block.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { CollaborativeDocument } from "../collaborative-document.ts";
import { DOCUMENT_REF_FIELDS, VersionSummary, versionNotFound } from "./version.ts";
import { selectVersion } from "./version-queries.ts";

const VersionWithContent = Type.Interface(
  [VersionSummary],
  Type.Pick(CollaborativeDocument, ["data", "type", "contentKey", "state"]).properties,
  { title: "CollaborativeDocumentVersionWithContent" },
);

const Request = Type.Object({
  ...DOCUMENT_REF_FIELDS,
  versionId: Identifier,
  includeState: Type.Optional(Type.Boolean({ default: false })),
});

/** Reads one version with its content. */
export const getCrdtVersion = operation({
  path: "/v2/crdt/versions/get",
  summary: "Read a version of a collaborative document",
  description:
    "Returns the content at the time when the version was added, and with `includeState` its Yjs document as " +
    "`state`. A version that does not exist is NOT_FOUND.",
  message: "Version retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "documents" },
  request: Request,
  response: VersionWithContent,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    versionId: "signed",
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, editorId, versionId, includeState = false }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const { block, version } = await selectVersion(scope, { documentId, editorId }, versionId, includeState);
  assertAccessible(block, organizationId);
  if (version === null) throw versionNotFound(versionId);
  return new JsonText(version);
}
