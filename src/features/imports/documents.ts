import Type, { type Static } from "typebox";
import { AccessType } from "../../contract/access-type.ts";
import { ROOT } from "../../contract/folder-id.ts";
import { Identifier } from "../../contract/schema.ts";
import { updateDocumentAccess } from "../documents/access-update.ts";
import { addDocuments } from "../documents/add.ts";
import type { Document } from "../documents/document.ts";
import { getDocuments } from "../documents/get.ts";
import { withMetadata } from "../tenancy/metadata.ts";
import { type ExportedRecord, importKind, type Outcome } from "./import-kind.ts";
import type { OperationRunner } from "./operation-runner.ts";
import { splitIntoChunks } from "./split-into-chunks.ts";

/** Maximum number of documents that one request names. */
const MAX_NAMED = 30;

const Item = withMetadata({
  documentId: Identifier,
  documentName: Type.Optional(Type.String()),
  folderId: Type.Optional(Identifier),
  accessType: Type.Optional(AccessType),
  disabled: Type.Optional(Type.Boolean()),
});
type Stored = Static<typeof Document>;

/** Documents with their metadata, folder and access type. */
export const documents = importKind({
  belongsTo: "organization",
  batchSize: 500,
  schema: Item,
  convert: ({ id, lastActivity: _, ...record }) => ({
    item: { ...(id !== undefined && { documentId: id }), ...record },
  }),
  async write({ operations, deferredDisabling }, { organizationId, items }) {
    const rejected = new Map<string, string>();
    const given = items.map(({ item }) => item);
    const existing = await readDocuments(operations, organizationId, given);
    const isWholeDisabled = deferredDisabling.organizations.has(organizationId);
    for (const { documentId, disabled } of given) {
      const isDisabled = existing.get(documentId)?.disabled;
      if (disabled && !isWholeDisabled) deferredDisabling.addDocument(organizationId, documentId, { isDisabled });
    }
    const toWrite = given.filter((item) => needsWriting(item, existing.get(item.documentId)));
    for (const [folderId, folderDocuments] of Map.groupBy(toWrite, (item) => item.folderId ?? ROOT)) {
      const added = await operations.call(addDocuments, {
        organizationId,
        folderId,
        createFolder: false,
        documents: folderDocuments.map(
          ({ folderId: _f, accessType: _a, disabled: _d, ...document }: Static<typeof Item>) => document,
        ),
      });
      for (const [id, { success, message }] of Object.entries(added)) if (!success) rejected.set(id, message);
    }
    const written = toWrite.filter(({ documentId }) => !rejected.has(documentId));
    await restoreAccess(operations, organizationId, written);
    const ids = new Set(written.map(({ documentId }) => documentId));
    return items.map(({ item: { documentId } }): Outcome => {
      const reason = rejected.get(documentId);
      if (reason !== undefined) return { rejected: reason };
      return ids.has(documentId) ? "added" : "existed";
    });
  },
});

async function readDocuments(operations: OperationRunner, organizationId: string, items: { documentId: string }[]) {
  const found = new Map<string, Stored>();
  for (const part of splitIntoChunks(items, MAX_NAMED)) {
    const documentIds = part.map(({ documentId }) => documentId);
    for (const document of await operations.readAll(getDocuments, { organizationId, documentIds })) {
      found.set(document.id, document);
    }
  }
  return found;
}

/** Returns whether a document is missing, or was only created implicitly and differs. */
function needsWriting(item: Static<typeof Item>, stored: Stored | undefined): boolean {
  if (!stored) return true;
  if (!isEmpty(stored) || stored.folderId !== undefined) return false;
  const isPlaced = item.folderId !== undefined && item.folderId !== ROOT;
  return !isEmpty(item) || isPlaced || (item.accessType ?? stored.accessType) !== stored.accessType;
}

/** Returns whether a document has neither a name nor metadata. */
function isEmpty(document: ExportedRecord): boolean {
  const { id: _i, documentId: _d, disabled: _s, lastActivity: _l, accessType: _a, folderId: _f, ...own } = document;
  const { documentName = "", ...metadata } = own;
  return documentName === "" && Object.keys(metadata).length === 0;
}

/** Gives documents an access type of their own if the one that they inherit is not that of the export. */
async function restoreAccess(operations: OperationRunner, organizationId: string, written: Static<typeof Item>[]) {
  const typed = written.flatMap(({ documentId, accessType }) => (accessType ? [{ documentId, accessType }] : []));
  const stored = await readDocuments(operations, organizationId, typed);
  const differing = typed.filter(({ documentId, accessType }) => stored.get(documentId)?.accessType !== accessType);
  for (const [accessType, group] of Map.groupBy(differing, (item) => item.accessType)) {
    for (const part of splitIntoChunks(group, MAX_NAMED)) {
      const documentIds = part.map(({ documentId }) => documentId);
      await operations.call(updateDocumentAccess, { organizationId, documentIds, accessType });
    }
  }
}
