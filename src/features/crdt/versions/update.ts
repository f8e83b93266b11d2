import Type, { type Static } from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization } from "../../tenancy/organization-scope.ts";
import { assertStored } from "../stored/change.ts";
import { assertRoom } from "./assert-room.ts";
import { DOCUMENT_REF_FIELDS, versionNotFound } from "./version.ts";
import { lockDocument, nameVersion, selectVersionSize } from "./version-queries.ts";

const Request = Type.Object({ ...DOCUMENT_REF_FIELDS, versionId: Identifier, name: Identifier });

/** Names a version. An automatic one becomes a named one, which stays. */
export const updateCrdtVersion = operation({
  path: "/v2/crdt/versions/update",
  summary: "Name a version of a collaborative document",
  description:
    "Gives a version a name. An automatic version becomes a named one, which is kept until it is deleted, and counts " +
    "among those that `/v2/crdt/versions/add` limits. A version that does not exist is NOT_FOUND.",
  message: "Version updated.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  request: Request,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    versionId: "signed",
    name: "Signed by both",
  },
  handle,
});

async function handle({ database, workspace }: Context, request: Static<typeof Request>) {
  const { organizationId, documentId, editorId, versionId: id, name } = request;
  const document = { documentId, editorId };
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const locked = await lockDocument(scope, document);
    assertStored(document, locked);
    const { clientId } = locked;
    const size = await selectVersionSize(scope, document, { id, clientId });
    if (!size) throw versionNotFound(id);
    if (size.isAutomatic) await assertRoom(scope, document, { clientId, bytes: size.bytes });
    await nameVersion(scope, document, { id, clientId, name });
  });
  return undefined;
}
