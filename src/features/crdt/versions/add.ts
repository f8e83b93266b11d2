import { randomUUID } from "node:crypto";
import Type, { type Static } from "typebox";
import { RECORD_LIMITS } from "../../../config/limits.ts";
import { ServiceError } from "../../../contract/errors.ts";
import { limitError } from "../../../contract/limit-error.ts";
import { type Context, operation } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { assertAccessible, requireAccessible } from "../../tenancy/access-block.ts";
import { inOrganization, openOrganization } from "../../tenancy/organization-scope.ts";
import { assertStored } from "../stored/change.ts";
import { selectDocument } from "../stored/crdt-update-queries.ts";
import { compactWithoutBlocking } from "../yjs-document-pool.ts";
import { DOCUMENT_REF_FIELDS } from "./version.ts";
import { insertVersion, lockVersions } from "./version-queries.ts";

const { versions: MAX_VERSIONS, versionBytes: MAX_BYTES } = RECORD_LIMITS;
const MAX_MEBIBYTES = MAX_BYTES / (1024 * 1024);

const Request = Type.Object({ ...DOCUMENT_REF_FIELDS, name: Identifier, versionId: Type.Optional(Identifier) });

/** Stores the present content of a collaborative document under a name. */
export const addCrdtVersion = operation({
  path: "/v2/crdt/versions/add",
  summary: "Add a version of a collaborative document",
  description:
    "Stores the Yjs document as it is, under a name that need not be unique. " +
    "`/v2/crdt/versions/restore` brings its content back. The service makes a `versionId` if none is sent; one that " +
    "exists is ALREADY_EXISTS. A collaborative document that does not exist is NOT_FOUND. It has at most " +
    `${MAX_VERSIONS} versions of ${MAX_MEBIBYTES} MiB together; one more is FAILED_PRECONDITION.`,
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
  { database, workspace, earlyReads }: Context,
  { organizationId, documentId, editorId, name, versionId: id = randomUUID() }: Static<typeof Request>,
) {
  const document = { documentId, editorId };
  const { block, stored } = await selectDocument(openOrganization(earlyReads, workspace, organizationId), document);
  assertAccessible(block, organizationId);
  assertStored(document, stored);
  const { type, contentKey, clientId } = stored;
  // Yjs may take long, so neither a row lock nor a connection is held meanwhile.
  const { state, content } = await compactWithoutBlocking({ type, contentKey, before: stored });
  const record = `{"data":${content},"type":"${type}","contentKey":${JSON.stringify(contentKey)}}`;
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope, documentId);
    const totals = await lockVersions(scope, document, clientId);
    assertStored(document, totals && stored);
    const { count, bytes, newest } = totals ?? { count: 0, bytes: 0, newest: null };
    if (count >= MAX_VERSIONS || bytes + state.length > MAX_BYTES) {
      const limit = `${MAX_VERSIONS} versions of ${MAX_MEBIBYTES} MiB together`;
      throw limitError("versions", `A collaborative document has at most ${limit}. Delete some of them.`);
    }
    if (!(await insertVersion(scope, document, { id, clientId, name, state, record, newest }))) {
      throw new ServiceError("already_exists", `Version ${JSON.stringify(id)} exists already.`);
    }
  });
  return { id };
}
