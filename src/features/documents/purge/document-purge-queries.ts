import type { OrganizationKey } from "../../../database/keys.ts";
import {
  bigint,
  identifier,
  identifiers,
  integer,
  join,
  type Sql,
  sql,
  text,
  texts,
  unprepared,
  uuid,
} from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import {
  buildPurgeOfLockedRows,
  currentTransactionId,
  DOCUMENT_TABLES,
  type DocumentTable,
  existedAt,
  getOrder,
  hasRows,
  type Moment,
  PURGE_CHUNK_ROWS,
  purging,
} from "../../purge/purge-queries.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { fromOrganization, KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

export interface DocumentPurge {
  documentId: string;
  /** Rows written later are kept. */
  deleted: Moment;
}

/**
 * Records that everything that exists in the documents is to be purged. Returns the moment, which is not earlier than
 * `after`.
 */
export async function insertPurges(scope: StoredOrganization, documentIds: string[], after = 0): Promise<Moment> {
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<Moment>`with now as (
        select greatest(${NOW_MS}, ${bigint(after)}) as ms, ${currentTransactionId(isDistributed)} as transaction_id
      ), recorded as (
        insert into document_purges (organization_key, document_id, deleted_at, deleted_in)
        select organization_key, document_id, now.ms, now.transaction_id
        ${fromOrganization(scope.key, sql`unnest(${texts(documentIds)}) as document_id`)} cross join now
        order by document_id
        on conflict (organization_key, document_id) do update
        set deleted_at = excluded.deleted_at, deleted_in = excluded.deleted_in
      )
      select ms as time, transaction_id::text as "transactionId" from now`,
    ),
  );
  if (!row) throw new Error("the purge was not written");
  return row;
}

/** Locks the next documents in the folders, by ID, and returns their IDs. */
export async function lockDocumentsInFolders(
  scope: InTransaction<StoredOrganization>,
  folderIds: string[],
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ id: string }>`select document_id as id from documents
        where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})
          and document_id > ${text(after)}
        order by document_id limit ${integer(limit)} for update`,
    ),
  );
  return rows.map(({ id }) => id);
}

/** Returns the time of the last pending purge of each organization; a job purges all up to a time. */
export function selectPendingPurges(
  scope: CrossTenantScope,
): Promise<{ organizationKey: OrganizationKey; deletedAt: number }[]> {
  return scope.run(
    sql<{ organizationKey: OrganizationKey; deletedAt: number }>`select ${KEY_DIGITS} as "organizationKey",
        max(deleted_at) as "deletedAt"
      from document_purges group by organization_key order by organization_key`,
  );
}

/** Returns the next purges recorded up to `deletedAt`, by document ID. */
export async function selectPurges(
  scope: StoredOrganization,
  deletedAt: number,
  after: string,
): Promise<DocumentPurge[]> {
  const rows = await scope.run(
    sql<Moment & { documentId: string }>`select document_id as "documentId", deleted_at as time,
        deleted_in::text as "transactionId"
      from document_purges
      where organization_key = ${uuid(scope.key)} and deleted_at <= ${bigint(deletedAt)}
        and document_id > ${text(after)}
      order by document_id limit 100`,
  );
  return rows.map(({ documentId, ...deleted }) => ({ documentId, deleted }));
}

/** A condition that every row meets. The partial index of notification_configs is used only with it. */
const OF_DOCUMENTS = sql`document_id <> ''`;

/** Purges up to `limit` rows of the documents, in any order. Returns how many. */
export async function purgeSomeRows(
  scope: StoredOrganization,
  table: DocumentTable,
  { documentIds, deleted }: { documentIds: string[]; deleted: Moment },
  limit: number,
): Promise<number> {
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
        select ctid as row_id from ${identifier(table.name)}
        where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})
          and ${OF_DOCUMENTS} and ${existedAt(table, deleted)}
        limit ${integer(limit)} for update skip locked
      ), purged as (${buildPurgeOfLockedRows(table.name, scope.key, isDistributed)})
      select count(*) as count from to_purge`,
    ),
  );
  return row?.count ?? 0;
}

/**
 * Purges the next rows of a document, oldest first, none older than `from`. Skips rows that are locked. Returns the
 * time of the last one, or undefined at the end.
 */
export async function purgeDocumentRows(
  scope: StoredOrganization,
  { name, ...table }: DocumentTable,
  { documentId, deleted }: DocumentPurge,
  from: number,
): Promise<number | undefined> {
  const order = getOrder(table);
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ last: number | null }>`with to_purge as materialized (
        select ctid as row_id, ${order} as row_written_at from ${identifier(name)}
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} and ${OF_DOCUMENTS}
          and ${order} >= ${bigint(from)} and ${existedAt(table, deleted)}
        order by ${order} limit ${integer(PURGE_CHUNK_ROWS)} for update skip locked
      ), purged as (${buildPurgeOfLockedRows(name, scope.key, isDistributed)})
      select max(row_written_at) as last from to_purge`,
    ),
  );
  return row?.last ?? undefined;
}

/**
 * Deletes the record of a purge if nothing is left to purge, and returns whether it is gone. A document that has been
 * written to in the meantime exists again.
 */
export async function finishPurge(scope: StoredOrganization, { documentId, deleted }: DocumentPurge): Promise<boolean> {
  const isOfDocument = sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`;
  const order = (table: DocumentTable) => (table.key[0] === "document_id" ? identifiers(table.key) : getOrder(table));
  const has = (table: DocumentTable, condition: Sql) =>
    hasRows(table.name, sql`${isOfDocument} and ${OF_DOCUMENTS} ${condition}`, order(table));
  const isPurged = DOCUMENT_TABLES.map((table) => sql`not ${has(table, sql`and ${existedAt(table, deleted)}`)}`);
  // The event of the deletion itself is newer than the purge.
  const isUsed = DOCUMENT_TABLES.filter(({ name }) => name !== "events").map((table) => has(table, sql``));
  const isRecord = sql`${isOfDocument} and deleted_at = ${bigint(deleted.time)}`;
  const [row] = await scope.run(
    unprepared(
      sql<{ isFinished: boolean }>`with found as (
        select document_id from document_purges where ${isRecord}
      ), finished as (
        delete from document_purges where ${isRecord} and ${join(isPurged, " and ")}
        returning document_id
      ), new_document as (
        insert into documents (organization_key, document_id)
        select ${uuid(scope.key)}, document_id from finished where ${join(isUsed, " or ")}
        on conflict do nothing
      )
      select exists (select 1 from finished) or not exists (select 1 from found) as "isFinished"`,
    ),
  );
  return row?.isFinished === true;
}
