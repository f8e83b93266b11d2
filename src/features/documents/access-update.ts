import Type from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { operation } from "../../contract/operation.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireAccessible, requireNotMigrating } from "../tenancy/access-block.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { AccessResult } from "./access-result.ts";
import { DocumentIds } from "./document.ts";
import { lockDocumentRecords, setDocumentTypes } from "./document-queries.ts";
import { eventsOfDocuments } from "./event-log.ts";

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
  async handle({ workspace, database, audit }, { organizationId, documentIds, ...request }) {
    const { accessType = null, inheritFromParent } = request;
    const key = organizationKey(workspace.id, organizationId);
    const found = await database.transaction(async (transaction) => {
      await requireAccessible(transaction, key, organizationId);
      const ids = [...(await lockDocumentRecords(transaction, key, documentIds)).keys()];
      await requireNotMigrating(transaction, key, organizationId, ids);
      await setDocumentTypes(transaction, key, ids, accessType);
      const target = { organizationId, documentIds: ids, accessType: accessType ?? "inherited" };
      if (ids.length > 0) {
        await audit(transaction, target);
        await recordAccessChange(transaction, workspace, [key]);
        await recordEvents(transaction, workspace, () => eventsOfDocuments(key, ids));
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
  },
});
