import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifiers } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { DOCUMENT_REF_FIELDS } from "./version.ts";
import { deleteVersionRows } from "./version-queries.ts";

const Request = Type.Object({
  ...DOCUMENT_REF_FIELDS,
  versionIds: Type.Optional(Identifiers),
});

/** Deletes versions of a collaborative document. Succeeds for missing ones too. */
export const deleteCrdtVersions = operation({
  path: "/v2/crdt/versions/delete",
  summary: "Delete versions of a collaborative document",
  description:
    "Deletes the versions with these IDs or, without `versionIds`, all versions of the collaborative document, whose " +
    "content stays. Deleting a version that does not exist succeeds.",
  message: "Versions deleted.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  request: Request,
  deletes: ["versionIds", "editorId"],
  response: Type.Object({}),
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7", editorId: "clause-3" },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, editorId, versionIds }: Static<typeof Request>,
) {
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    await deleteVersionRows(scope, { documentId, editorId }, versionIds);
  });
  return {};
}
