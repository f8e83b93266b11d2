import type { AccessType } from "../../contract/access-type.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import {
  boolean,
  EMPTY,
  identifier,
  join,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  uuid,
} from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { type AccessScope, isReadable, typeOfDocument } from "../access/access-queries.ts";
import { deleteGrantsOn } from "../access/grant-queries.ts";
import { type AccessBlock, accessBlock, fromOrganization } from "../tenancy/tenancy-queries.ts";

/** Expression for the JSON text of a document: the record as sent or, if none was sent, an empty name. */
export const DOCUMENT_RECORD = sql`coalesce(record::text, '{"documentName":""}')`;

/** Columns with the times of writing. All newest values but that of the few editors are one entry of an index. */
const WRITES = [
  ["activities", "created_at"],
  ["comment_annotations", "updated_at"],
  ["crdt_editors", "updated_at"],
  ["crdt_updates", "written_at"],
  ["notifications", "created_at"],
  ["recordings", "created_at"],
].map(([table = "", time = ""]) => ({ table: identifier(table), time: identifier(time) }));

/** Writes documents; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeDocuments(
  transaction: Queryable,
  organizationKey: string,
  documents: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(documents.map(({ id }) => id));
  const records = texts(documents.map(({ record }) => record));
  await transaction.run(
    sql`insert into documents (organization_key, document_id, record, record_bytes)
      select organization_key, document_id, record::json, octet_length(record)
      ${fromOrganization(organizationKey, sql`unnest(${ids}, ${records}) as input (document_id, record)`)}
      order by document_id
      on conflict (organization_key, document_id) do update set
        record = excluded.record, record_bytes = excluded.record_bytes`,
  );
}

/** Returns the records of documents by id. Locks rows in key order. */
export async function lockDocumentRecords(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
): Promise<Map<string, string>> {
  const rows = await transaction.run(
    sql<{ id: string; record: string }>`select document_id as id, ${DOCUMENT_RECORD} as record from documents
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(documentIds)})
      order by document_id for update`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Puts locked documents in a folder, or with null outside of any folder. Returns the ids of those that move. */
export async function placeDocuments(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
  folderId: string | null,
): Promise<string[]> {
  const moved = await transaction.run(
    sql<{ id: string }>`update documents set folder_id = ${text(folderId)}
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(documentIds)})
        and folder_id is distinct from ${text(folderId)}
      returning document_id as id`,
  );
  return moved.map(({ id }) => id);
}

/** Sets the own access types of locked documents. Null inherits. */
export async function setDocumentTypes(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
  ownType: AccessType | null,
): Promise<void> {
  await transaction.run(
    sql`update documents set access_type = ${text(ownType)}
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(documentIds)})`,
  );
}

/** Enables or disables documents and creates those that are missing. Writes rows in key order to avoid deadlocks. */
export async function setDocumentsDisabled(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
  disabled: boolean,
): Promise<void> {
  await transaction.run(
    sql`insert into documents (organization_key, document_id, disabled)
      select organization_key, document_id, ${boolean(disabled)}
      ${fromOrganization(organizationKey, sql`unnest(${texts(documentIds)}) as document_id`)}
      order by document_id collate "C"
      on conflict (organization_key, document_id) do update set disabled = excluded.disabled`,
  );
}

/** Deletes the rows of locked documents, and the grants on them. */
export async function deleteDocumentRows(
  transaction: Queryable,
  organizationKey: string,
  documentIds: string[],
): Promise<void> {
  await deleteGrantsOn(transaction, organizationKey, "document", documentIds);
  await transaction.run(
    sql`delete from documents
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(documentIds)})`,
  );
}

/** Returns a further condition: directly in a folder, outside of any if null, anywhere if undefined. */
export function andInFolder(folderId: string | null | undefined): Sql {
  if (folderId === undefined) return EMPTY;
  return folderId === null ? sql`and folder_id is null` : sql`and folder_id = ${text(folderId)}`;
}

/** Returns the condition that a document is directly in a folder, or outside of any for null. */
export function isInFolder(organizationKey: string, documentId: Sql, folderId: string | null): Sql {
  return sql`${documentId} in (select in_folder.document_id from documents in_folder
    where in_folder.organization_key = ${uuid(organizationKey)} ${andInFolder(folderId)})`;
}

/** Returns the time of the newest write to the document, or of its creation, in milliseconds. */
export function lastActivityOf(organization: Parameter | Sql): Sql {
  const newestWrites = WRITES.map(
    ({ table, time }) => sql`(select max(${time}) from ${table}
      where ${table}.organization_key = ${organization} and ${table}.document_id = document.document_id)`,
  );
  return sql`greatest(floor(extract(epoch from document.created_at) * 1000)::bigint, ${join(newestWrites, ", ")})`;
}

interface DocumentFilters {
  documentIds?: string[] | undefined;
  /** Null selects the documents outside of any folder. */
  folderId?: string | null | undefined;
}

/**
 * Reads one page of documents by id. `defaultType` is the access type of those that have none and inherit none.
 * With `readableBy` only those that the user may read.
 */
export function selectDocumentPage(
  database: Queryable,
  organizationKey: string,
  { documentIds, folderId }: DocumentFilters,
  { defaultType, readableBy }: { defaultType: AccessType; readableBy?: AccessScope | undefined },
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const isAsked = documentIds ? sql`and document_id = any(${texts(documentIds)})` : EMPTY;
  const isTheirs = readableBy ? sql`and ${isReadable(readableBy, "document")}` : EMPTY;
  const accessType = typeOfDocument({ organizationKey, defaultType }, "document");
  return selectPageOfRecords(database, {
    source: sql`from (
      select document_id, record_bytes, '{"id":' || to_json(document_id)::text
        || ',"disabled":' || (document.disabled or (
          select disabled from organizations where organization_key = ${uuid(organizationKey)}))
        || ',"lastActivity":'
        || ${lastActivityOf(uuid(organizationKey))}
        || ',' || left(right(${DOCUMENT_RECORD}, -1), -1) || ',"accessType":"' || ${accessType} || '"'
        || coalesce(',"folderId":' || to_json(folder_id)::text, '') || '}' as record
      from documents document
      where organization_key = ${uuid(organizationKey)} ${isAsked} ${andInFolder(folderId)}
        ${isTheirs}
    ) as document where true`,
    keys: ["document_id"],
    keyType: "text",
    order: "asc",
    extra: accessBlock(organizationKey),
    ...page,
  });
}
