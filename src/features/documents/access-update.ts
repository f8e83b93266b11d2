import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireAccessible, requireNotMigrating } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { AccessResult } from "./access-result.ts";
import { DocumentIds } from "./document.ts";
import { lockDocumentRecords, setDocumentTypes } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";

const Request = Type.Refine(
  Type.Object({
    organizationId: Identifier,
    documentIds: DocumentIds,
    accessType: Type.Optional(AccessType),
    inheritFromParent: Type.Optional(Type.Boolean()),
  }),
  ({ accessType, inheritFromParent = false }) => (accessType === undefined) === inheritFromParent,
  () => "must have either accessType or inheritFromParent: true",
);

/** Sets or drops the documents' own access type. */
export const updateDocumentAccess = operation({
  path: "/v2/organizations/documents/access/update",
  aliases: ["/v1/organizations/documents/access/update"],
  summary: "Update the access types of documents",
  description:
    "`accessType` becomes the documents' own type. `inheritFromParent: true` drops it: the type of the folder " +
    "applies, or that of the workspace. The `accessType` of an item is null if the document inherits. A missing " +
    "document fails alone.",
  message: "Documents' access updated.",
  scope: "write",
  request: Request,
  response: perId(AccessResult),
  audit: "document_access.update",
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"], accessType: "restricted" },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { organizationId, documentIds, ...request }: Static<typeof Request>,
) {
  const { accessType = null, inheritFromParent } = request;
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const ids = [...(await lockDocumentRecords(scope, documentIds)).keys()];
    await requireNotMigrating(scope, ids);
    await setDocumentTypes(scope, ids, accessType);
    const target = { organizationId, documentIds: ids, accessType: accessType ?? "inherited" };
    if (ids.length > 0) {
      await audit(scope, target);
      await recordAccessChange(scope);
      await recordEvents(scope, buildDocumentEvents(ids));
    }
    return new Set(ids);
  });
  const changed = { success: true, message: "Document access updated.", accessType };
  const sent = inheritFromParent === undefined ? {} : { inheritFromParent };
  return keyedById<AccessResult>(
    documentIds.map((id) => [
      id,
      found.has(id) ? { ...changed, ...sent } : { success: false, code: "not-found", message: "Document not found." },
    ]),
  );
}
