import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { requireNotMigrating } from "../tenancy/access-block.ts";
import { DELIVER_DELAYED_NOTIFICATIONS } from "../tenancy/deliver-delayed-notifications.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { DocumentIds } from "./document.ts";
import { setDocumentsDisabled } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";

const Request = Type.Object({ organizationId: Identifier, documentIds: DocumentIds, disabled: Type.Boolean() });

/** Enables or disables documents for every request that starts after the response. Creates missing ones. */
export const updateDocumentDisableState = operation({
  path: "/v2/organizations/documents/access/disablestate/update",
  aliases: ["/v1/organizations/documents/access/disablestate/update"],
  summary: "Enable or disable access to documents",
  description:
    "A disabled document rejects every read and write of its data with PERMISSION_DENIED, for all users, from the " +
    "moment of the response. Lists over several documents leave its records out, and to an operation that names " +
    "records by ID they do not exist. The document itself can still be read, changed, moved and deleted, and data " +
    "of users exported and deleted. A document that does not exist is created.",
  message: "Documents' access updated.",
  scope: "write",
  request: Request,
  response: perId(Type.Interface([ItemResult], { disabled: Type.Boolean() })),
  audit: "document_access.update",
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-6"], disabled: true },
  handle,
});

async function handle(
  { database, workspace, jobs, audit }: Context,
  { organizationId, documentIds, disabled }: Static<typeof Request>,
) {
  const ids = [...new Set(documentIds)];
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await ensureDocument(scope);
    await setDocumentsDisabled(scope, ids, disabled);
    await requireNotMigrating(scope, ids);
    if (!disabled) await jobs.send(scope, DELIVER_DELAYED_NOTIFICATIONS, [{ organizationKey: scope.key }]);
    await audit(scope, { organizationId, documentIds: ids, disabled });
    await recordAccessChange(scope);
    await recordEvents(scope, buildDocumentEvents(ids));
  });
  const message = disabled ? "Document disabled." : "Document enabled.";
  return keyedById(ids.map((id) => [id, { success: true, message, disabled }]));
}
