import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, perId } from "../../contract/schema.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireAccessible, requireNotMigrating } from "../tenancy/access-block.ts";
import { deletionResults, RecordResult } from "../tenancy/metadata.ts";
import { recordKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { DocumentIds } from "./document.ts";
import { deleteDocumentRows, lockDocumentRecords } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";
import { beginPurge } from "./purge/job.ts";

const Request = Type.Object({ organizationId: Identifier, documentIds: DocumentIds });

/** Deletes documents and everything written to them before the request. Data written after it is not deleted. */
export const deleteDocuments = operation({
  path: "/v2/organizations/documents/delete",
  aliases: ["/v1/organizations/documents/delete"],
  summary: "Delete documents with everything in them",
  description:
    "Deletes everything in the documents that was written before the request: the first 5,000 records at once, " +
    "the rest by a job within seconds to minutes. Data written after the response is kept, even under an ID that " +
    "existed before; data written at the same time may be deleted or kept. The next write to a document creates " +
    "it again. A document that does not exist fails alone.",
  message: "Documents deleted.",
  scope: "write",
  request: Request,
  deletes: ["documentIds"],
  response: perId(RecordResult),
  audit: "document.delete",
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"] },
  handle,
});

async function handle(
  { database, workspace, jobs, audit }: Context,
  { organizationId, documentIds }: Static<typeof Request>,
) {
  const found = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const ids = [...(await lockDocumentRecords(scope, documentIds)).keys()];
    await requireNotMigrating(scope, ids);
    if (ids.length > 0) {
      await deleteDocumentRows(scope, ids);
      await beginPurge(scope, jobs, ids);
      await audit(scope, { organizationId, documentIds: ids });
      await recordAccessChange(scope);
      await recordEvents(scope, buildDocumentEvents(ids, "document.delete"));
    }
    return new Set(ids);
  });
  const getKey = (id: string) => recordKey(workspace.id, organizationId, id);
  return deletionResults({ noun: "Document", getKey }, documentIds, found);
}
