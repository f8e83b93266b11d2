import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireAccessible, requireNotMigrating } from "../tenancy/access-block.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { DocumentIds } from "./document.ts";
import { lockDocumentRecords, placeDocuments } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";
import { folderNotFound, storedFolderId } from "./folders/folder.ts";
import { lockFolderAgainstDeletion } from "./folders/folder-queries.ts";

const Request = Type.Object({ organizationId: Identifier, documentIds: DocumentIds, folderId: Identifier });

/** Moves documents into a folder, all or none. */
export const moveDocuments = operation({
  path: "/v2/organizations/documents/move",
  aliases: ["/v1/organizations/documents/move"],
  summary: "Move documents into a folder",
  description:
    "Moves all documents or, if the folder or one of them does not exist, none. `root` takes them out of any folder. " +
    "Access types that they inherit change at once.",
  message: "Documents moved.",
  scope: "write",
  audit: "document.move",
  request: Request,
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentIds: ["contract-7"], folderId: "root" },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { organizationId, documentIds, ...request }: Static<typeof Request>,
) {
  const folderId = storedFolderId(request.folderId);
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    if (folderId !== null && !(await lockFolderAgainstDeletion(scope, folderId))) throw folderNotFound(folderId);
    const found = await lockDocumentRecords(scope, documentIds);
    await requireNotMigrating(scope, documentIds);
    const missing = documentIds.find((id) => !found.has(id));
    if (missing !== undefined) {
      throw new ServiceError("not_found", `Document ${JSON.stringify(missing)} does not exist.`);
    }
    const moved = await placeDocuments(scope, documentIds, folderId);
    const target = { organizationId, documentIds: moved.toSorted(), folderId: request.folderId };
    if (moved.length > 0) {
      await audit(scope, target);
      await recordAccessChange(scope);
      await recordEvents(scope, buildDocumentEvents(moved));
    }
  });
  return undefined;
}
