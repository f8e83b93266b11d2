import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, perId } from "../../contract/schema.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { requireAccessible, requireNotMigrating } from "../tenancy/access-block.ts";
import { IgnoredCreate } from "../tenancy/create-flags.ts";
import { mergeRecords, RecordResult } from "../tenancy/metadata.ts";
import { recordKey } from "../tenancy/organization-key.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { NewDocument, OMITTED_FIELDS as omitted } from "./document.ts";
import { lockDocumentRecords, writeDocuments } from "./document-queries.ts";
import { buildDocumentEvents } from "./event-log.ts";
import { getDocuments } from "./get.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documents: Type.Array(NewDocument, { minItems: 1, maxItems: 500 }),
  createOrganization: IgnoredCreate,
});

/** Replaces each field that is sent as a whole and keeps the rest. A missing document fails alone. */
export const updateDocuments = operation({
  path: "/v2/organizations/documents/update",
  aliases: ["/v1/organizations/documents/update"],
  summary: "Update documents",
  description:
    "Replaces each field that is sent as a whole, also with `null`, and keeps the others. A document that does " +
    "not exist, or would exceed 64 KiB, fails alone.",
  message: "Documents updated.",
  scope: "write",
  request: Request,
  returned: {
    by: getDocuments,
    field: "documents",
    id: "documentId",
    returnedId: "id",
    maxIds: 30,
    request: ({ organizationId }, documentIds) => ({ organizationId, documentIds }),
  },
  response: perId(RecordResult),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documents: [{ documentId: "contract-7", documentName: "Contract with Globex, signed" }],
  },
  handle,
});

async function handle({ database, workspace }: Context, { organizationId, documents }: Static<typeof Request>) {
  const ids = documents.map(({ documentId }) => documentId);
  rejectRepeatedIds(ids, "documents", "documentId");
  const updates = documents.map((fields) => ({ id: fields.documentId, fields }));
  return inOrganization(database, workspace, organizationId, async (scope) => {
    await requireAccessible(scope);
    const found = await lockDocumentRecords(scope, ids);
    await requireNotMigrating(scope, ids);
    const getKey = (id: string) => recordKey(workspace.id, organizationId, id);
    const options = { noun: "Document", getKey: getKey, omitted };
    const { mergedIds, results } = await mergeRecords(options, updates, found, (merged) =>
      writeDocuments(scope, merged),
    );
    await recordEvents(scope, buildDocumentEvents(mergedIds));
    return results;
  });
}
