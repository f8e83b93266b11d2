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
  DOCUMENT_TABLES,
  type DocumentTable,
  hasRows,
  isWrittenUntil,
  PURGE_CHUNK_ROWS,
  purging,
} from "../../purge/purge-queries.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { fromOrganization, KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

export interface DocumentPurge {
  documentId: string;
  /** Milliseconds since the epoch: rows written later are kept. */
  deletedAt: number;
}

/** Records that everything written to the documents up to now is to be purged. Returns now, in milliseconds. */
export async function insertPurges(scope: StoredOrganization, documentIds: string[]): Promise<number> {
  const [row] = await scope.run(
    sql<{ deletedAt: number }>`with now as (
      select ${NOW_MS} as ms
    ), recorded as (
      insert into document_purges (organization_key, document_id, deleted_at)
      select organization_key, document_id, now.ms
      ${fromOrganization(scope.key, sql`unnest(${texts(documentIds)}) as document_id`)} cross join now
      order by document_id
      on conflict (organization_key, document_id) do update set deleted_at = excluded.deleted_at
    )
    select ms as "deletedAt" from now`,
  );
  return row?.deletedAt ?? 0;
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
export function selectPurges(scope: StoredOrganization, deletedAt: number, after: string): Promise<DocumentPurge[]> {
  return scope.run(
    sql<DocumentPurge>`select document_id as "documentId", deleted_at as "deletedAt"
      from document_purges
      where organization_key = ${uuid(scope.key)} and deleted_at <= ${bigint(deletedAt)}
        and document_id > ${text(after)}
      order by document_id limit 100`,
  );
}

/** A condition that every row meets. The partial index of notification_configs is used only with it. */
const OF_DOCUMENTS = sql`document_id <> ''`;

/** Purges up to `limit` rows of the documents, in any order. Returns how many. */
export async function purgeSomeRows(
  scope: StoredOrganization,
  table: DocumentTable,
  { documentIds, deletedAt }: { documentIds: string[]; deletedAt: number },
  limit: number,
): Promise<number> {
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
        select ctid as row_id from ${identifier(table.name)}
        where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})
          and ${OF_DOCUMENTS} and ${isWrittenUntil(table, sql`${bigint(deletedAt)}`)}
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
  { documentId, deletedAt }: DocumentPurge,
  from: number,
): Promise<number | undefined> {
  const [row] = await scope.run(
    purging(
      (isDistributed) => sql<{ last: number | null }>`with to_purge as materialized (
        select ctid as row_id, ${table.writtenAt} as row_written_at from ${identifier(name)}
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} and ${OF_DOCUMENTS}
          and ${table.writtenAt} >= ${bigint(from)} and ${isWrittenUntil(table, sql`${bigint(deletedAt)}`)}
        order by ${table.writtenAt} limit ${integer(PURGE_CHUNK_ROWS)} for update skip locked
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
export async function finishPurge(
  scope: StoredOrganization,
  { documentId, deletedAt }: DocumentPurge,
): Promise<boolean> {
  const isOfDocument = sql`organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}`;
  const order = ({ key, writtenAt }: DocumentTable) => (key[0] === "document_id" ? identifiers(key) : writtenAt);
  const has = (table: DocumentTable, condition: Sql) =>
    hasRows(table.name, sql`${isOfDocument} and ${OF_DOCUMENTS} ${condition}`, order(table));
  const isPurged = DOCUMENT_TABLES.map(
    (table) => sql`not ${has(table, sql`and ${isWrittenUntil(table, sql`${bigint(deletedAt)}`)}`)}`,
  );
  // The event of the deletion itself is newer than the purge.
  const isUsed = DOCUMENT_TABLES.filter(({ name }) => name !== "events").map((table) => has(table, sql``));
  const isRecord = sql`${isOfDocument} and deleted_at = ${bigint(deletedAt)}`;
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
