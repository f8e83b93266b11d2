import { randomUUID } from "node:crypto";
import Type, { type Static } from "typebox";
import { ServiceError } from "../../../contract/errors.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { requireAccessible } from "../../tenancy/access-block.ts";
import { organizationKey } from "../../tenancy/organization-key.ts";
import { inOrganization, transactionalOrganization } from "../../tenancy/organization-scope.ts";
import { assertStored } from "../stored/change.ts";
import { compactUpdates } from "../stored/compact.ts";
import { assertRoom, VERSION_LIMIT } from "./assert-room.ts";
import { DOCUMENT_REF_FIELDS } from "./version.ts";
import { insertVersion, lockDocument } from "./version-queries.ts";

const Request = Type.Object({ ...DOCUMENT_REF_FIELDS, name: Identifier, versionId: Type.Optional(Identifier) });

/** Stores the present content of a collaborative document under a name. */
export const addCrdtVersion = operation({
  path: "/v2/crdt/versions/add",
  summary: "Add a version of a collaborative document",
  description:
    "Stores the Yjs document as it is, under a name that need not be unique. " +
    "`/v2/crdt/versions/restore` brings its content back. The service makes a `versionId` if none is sent; one that " +
    "exists is ALREADY_EXISTS. A collaborative document that does not exist is NOT_FOUND. It has at most " +
    `${VERSION_LIMIT}; one more is FAILED_PRECONDITION. The automatic ones count apart.`,
  message: "Version added.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  request: Request,
  response: Type.Object({ id: Type.String() }),
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    editorId: "clause-3",
    versionId: "signed",
    name: "Signed",
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, editorId, name, versionId: id = randomUUID() }: Static<typeof Request>,
) {
  const document = { documentId, editorId };
  await compactUpdates(transactionalOrganization(database, organizationKey(workspace.id, organizationId)), document);
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const locked = await lockDocument(scope, document);
    assertStored(document, locked);
    await assertRoom(scope, document, locked);
    if (!(await insertVersion(scope, document, { id, clientId: locked.clientId, name }))) {
      throw new ServiceError("already_exists", `Version ${JSON.stringify(id)} exists already.`);
    }
  });
  return { id };
}
