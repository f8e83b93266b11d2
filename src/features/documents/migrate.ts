import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { recordAccessChange } from "../event-log/record-events.ts";
import { requireAccessible } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { beginMigration } from "./migration/begin.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  newDocumentId: Identifier,
});

/** Moves all data of a document to a new id, by a job. */
export const migrateDocument = operation({
  path: "/v2/organizations/documents/migrate",
  summary: "Move a document with everything in it to a new ID",
  description:
    "A job moves the document's records, users, permissions, preferences and settings to `newDocumentId`, which must " +
    "not exist, and then deletes the document `documentId`. IDs of records, their times and the numbers of " +
    "annotations stay. From the response until the job has ended, every request to either document fails with " +
    "UNAVAILABLE and changes nothing, lists over several documents leave their records out, and to an operation that " +
    "names records by ID these do not exist. Page tokens of the old document and permissions in user tokens do not " +
    "name the new one. `metadata.documentId` of records changes; free-form fields stay as they were sent.",
  message: "Document migration started.",
  scope: "write",
  request: Request,
  response: Type.Object({ migrationId: Type.String() }),
  audit: "document.migrate",
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "draft-7", newDocumentId: "contract-8" },
  handle,
});

async function handle(
  { database, workspace, jobs, audit }: Context,
  { organizationId, documentId, newDocumentId }: Static<typeof Request>,
) {
  const migrationId = await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const documents = { documentId, newDocumentId };
    const begun = await beginMigration(scope, jobs, documents);
    if (begun === "missing") {
      throw new ServiceError("not_found", `Document ${JSON.stringify(documentId)} does not exist.`);
    }
    if (begun === "occupied") {
      const name = `Document ${JSON.stringify(newDocumentId)}`;
      throw new ServiceError("already_exists", `${name} exists, or is still being deleted. Choose another ID.`);
    }
    await audit(scope, { organizationId, documentId, newDocumentId });
    await recordAccessChange(scope);
    return begun.migrationId;
  });
  return { migrationId };
}
