import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, keyedById, perId } from "../../contract/schema.ts";
import { mergeFields } from "../../json/record-texts.ts";
import { recordAccessChange, recordEvents } from "../event-log/record-events.ts";
import { requireNotMigrating } from "../tenancy/access-block.ts";
import { createFlag } from "../tenancy/create-flags.ts";
import { IdentifiedResult } from "../tenancy/metadata.ts";
import { recordKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { NewDocument, OMITTED_FIELDS } from "./document.ts";
import { lockDocumentRecords, placeDocuments, writeDocuments } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";
import { ensureFolder } from "./folders/ensure-folder.ts";
import { storedFolderId } from "./folders/folder.ts";
import { getDocuments } from "./get.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documents: Type.Array(NewDocument, { minItems: 1, maxItems: 500 }),
  folderId: Type.Optional(Identifier),
  createOrganization: createFlag("organization", "every item fails"),
  createFolder: createFlag("folder", "every item fails"),
});

/** Adds documents; overwrites name and metadata of one that exists, never its data. */
export const addDocuments = operation({
  path: "/v2/organizations/documents/add",
  aliases: ["/v1/organizations/documents/add"],
  summary: "Add documents",
  description:
    "The first write to a document creates it; this operation sets its name and metadata. The name and metadata " +
    "of a document that exists are overwritten, its data is kept, so the request can be repeated. Further fields " +
    "are metadata, stored as sent: up to 64 KiB of JSON per document. `id`, `disabled` and `lastActivity` are " +
    "set by the service, so they are rejected, as are `accessType` and `folderId` of a document. The `folderId` of " +
    "the request puts the documents in that folder, and `root` takes them out of any. Without it, new documents are " +
    "outside of any folder and others stay where they are. A missing folder is created at the top level unless " +
    "`createFolder` is `false`, a missing organization unless `createOrganization` is `false`; then every item " +
    "fails. The `id` of each item is the document key: 32 hexadecimal digits, the first 16 bytes of SHA-256 over " +
    "workspace ID, U+0000, organization ID, U+0000, document ID.",
  message: "Documents added.",
  scope: "write",
  audit: "document.move",
  request: Request,
  returned: {
    by: getDocuments,
    field: "documents",
    id: "documentId",
    returnedId: "id",
    maxIds: 30,
    request: ({ organizationId }, documentIds) => ({ organizationId, documentIds }),
  },
  response: perId(IdentifiedResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documents: [
      { documentId: "contract-7", documentName: "Contract with Globex", folder: { id: "sales" } },
      { documentId: "draft-7" },
    ],
  },
  handle,
});

async function handle(
  { database, workspace, audit }: Context,
  { organizationId, documents, folderId, ...create }: Static<typeof Request>,
) {
  const ids = documents.map(({ documentId }) => documentId);
  rejectRepeatedIds(ids, "documents", "documentId");
  const missing = await inOrganization(database, workspace, organizationId, async (scope) => {
    const found = await ensureFolder(scope, undefined, storedFolderId(folderId), create);
    if (found) return found;
    const existing = folderId === undefined ? undefined : await lockDocumentRecords(scope, ids);
    // The records are composed after the first statement, so that other requests run between parsing and composing.
    const rows = mergeFields(
      documents.map((fields) => ({ id: fields.documentId, record: '{"documentName":""}', fields })),
      OMITTED_FIELDS,
    );
    await writeDocuments(scope, rows);
    await requireNotMigrating(scope, ids);
    await recordEvents(scope, buildDocumentEvents(ids));
    if (folderId === undefined) return undefined;
    const placed = await placeDocuments(scope, ids, storedFolderId(folderId));
    if (placed.length > 0) await recordAccessChange(scope);
    const documentIds = placed.filter((id) => existing?.has(id)).toSorted();
    if (documentIds.length > 0) await audit(scope, { organizationId, documentIds, folderId });
    return undefined;
  });
  const outcome = missing
    ? { success: false, message: `${missing} not found.` }
    : { success: true, message: "Document added." };
  return keyedById(ids.map((id) => [id, { ...outcome, id: recordKey(workspace.id, organizationId, id) }]));
}
