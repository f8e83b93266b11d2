import type { AccessType } from "../../contract/access-type.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { boolean, EMPTY, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { AccessOrganization, AccessUser } from "../access/access-queries.ts";
import { buildDocumentAccessType, isReadable } from "../access/document-access-queries.ts";
import { deleteGrantsOn } from "../access/grant-queries.ts";
import { buildLastActivity } from "../tenancy/last-activity-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromOrganization } from "../tenancy/tenancy-queries.ts";

/** Expression for the JSON text of a document: the record as sent or, if none was sent, an empty name. */
export const DOCUMENT_RECORD = sql`coalesce(record::text, '{"documentName":""}')`;

/** Writes documents; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeDocuments(
  scope: OrganizationScope,
  documents: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(documents.map(({ id }) => id));
  const records = texts(documents.map(({ record }) => record));
  await scope.run(
    sql`insert into documents (organization_key, document_id, record, record_bytes)
      select organization_key, document_id, record::json, octet_length(record)
      ${fromOrganization(scope.key, sql`unnest(${ids}, ${records}) as input (document_id, record)`)}
      order by document_id
      on conflict (organization_key, document_id) do update set
        record = excluded.record, record_bytes = excluded.record_bytes`,
  );
}

/** Returns the records of documents by id. Locks rows in key order. */
export async function lockDocumentRecords(
  scope: InTransaction<OrganizationScope>,
  documentIds: string[],
): Promise<Map<string, string>> {
  const rows = await scope.run(
    sql<{ id: string; record: string }>`select document_id as id, ${DOCUMENT_RECORD} as record from documents
      where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})
      order by document_id for update`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Puts locked documents in a folder, or with null outside of any folder. Returns the ids of those that move. */
export async function placeDocuments(
  scope: OrganizationScope,
  documentIds: string[],
  folderId: string | null,
): Promise<string[]> {
  const moved = await scope.run(
    sql<{ id: string }>`update documents set folder_id = ${text(folderId)}
      where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})
        and folder_id is distinct from ${text(folderId)}
      returning document_id as id`,
  );
  return moved.map(({ id }) => id);
}

/** Sets the own access types of locked documents. Null inherits. */
export async function setDocumentTypes(
  scope: OrganizationScope,
  documentIds: string[],
  ownType: AccessType | null,
): Promise<void> {
  await scope.run(
    sql`update documents set access_type = ${text(ownType)}
      where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})`,
  );
}

/** Enables or disables documents and creates those that are missing. Writes rows in key order to avoid deadlocks. */
export async function setDocumentsDisabled(
  scope: OrganizationScope,
  documentIds: string[],
  disabled: boolean,
): Promise<void> {
  await scope.run(
    sql`insert into documents (organization_key, document_id, disabled)
      select organization_key, document_id, ${boolean(disabled)}
      ${fromOrganization(scope.key, sql`unnest(${texts(documentIds)}) as document_id`)}
      order by document_id collate "C"
      on conflict (organization_key, document_id) do update set disabled = excluded.disabled`,
  );
}

/** Deletes the rows of locked documents, and the grants on them. */
export async function deleteDocumentRows(scope: OrganizationScope, documentIds: string[]): Promise<void> {
  await deleteGrantsOn(scope, "document", documentIds);
  await scope.run(
    sql`delete from documents
      where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})`,
  );
}

/** Returns a further condition: directly in a folder, outside of any if null, anywhere if undefined. */
export function andInFolder(folderId: string | null | undefined): Sql {
  if (folderId === undefined) return EMPTY;
  return folderId === null ? sql`and folder_id is null` : sql`and folder_id = ${text(folderId)}`;
}

/** Returns the condition that a document is directly in a folder, or outside of any for null. */
export function isInFolder(organizationKey: OrganizationKey, documentId: Sql, folderId: string | null): Sql {
  return sql`${documentId} in (select in_folder.document_id from documents in_folder
    where in_folder.organization_key = ${uuid(organizationKey)} ${andInFolder(folderId)})`;
}

interface DocumentFilters {
  documentIds?: string[] | undefined;
  /** Null selects the documents outside of any folder. */
  folderId?: string | null | undefined;
  /** User who must be allowed to read the documents. */
  readableBy?: AccessUser | undefined;
}

/** Reads one page of documents by id. */
export function selectDocumentPage(
  scope: AccessOrganization,
  { documentIds, folderId, readableBy }: DocumentFilters,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const isAsked = documentIds ? sql`and document_id = any(${texts(documentIds)})` : EMPTY;
  const isTheirs = readableBy ? sql`and ${isReadable({ organization: scope, user: readableBy }, "document")}` : EMPTY;
  const accessType = buildDocumentAccessType(scope, "document");
  return selectPageOfRecords(scope, {
    source: sql`from (
      select document_id, record_bytes, '{"id":' || to_json(document_id)::text
        || ',"disabled":' || (document.disabled or (
          select disabled from organizations where organization_key = ${uuid(scope.key)}))
        || ',"lastActivity":'
        || coalesce(${buildLastActivity(uuid(scope.key), sql`document.document_id`)},
          floor(extract(epoch from document.created_at) * 1000)::bigint)
        || ',' || left(right(${DOCUMENT_RECORD}, -1), -1) || ',"accessType":"' || ${accessType} || '"'
        || coalesce(',"folderId":' || to_json(folder_id)::text, '') || '}' as record
      from documents document
      where organization_key = ${uuid(scope.key)} ${isAsked} ${andInFolder(folderId)}
        ${isTheirs}
    ) as document where true`,
    keys: ["document_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key),
    ...page,
  });
}
