import { identifier, integer, type Sql, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import type { InTransaction, StoredOrganization } from "./organization-scope.ts";
import { isInEnabledDocument } from "./tenancy-queries.ts";

/** Maximum number of rows that one statement changes if a request changes all matches. */
export const CHUNK_ROWS = 5_000;
/** Maximum number of deleted ids in a response. */
export const MAX_IDS_RETURNED = 50_000;

/**
 * Returns the JSON texts of the existing records that meet the condition, by id. Locks the rows in key order to avoid
 * deadlocks. The table's primary key must be (organization_key, id).
 */
export async function lockRecords(
  scope: InTransaction<StoredOrganization>,
  table: string,
  ids: string[],
  condition = sql`true`,
): Promise<Map<string, string>> {
  const rows = await scope.run(
    sql<{ id: string; record: string }>`select id, record::text as record from ${identifier(table)}
      where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)}) and ${condition}
      order by id for update`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Locks records of a table whose rows belong to documents, without those of disabled ones. */
export function lockEnabledRecords(
  scope: InTransaction<StoredOrganization>,
  table: string,
  ids: string[],
): Promise<Map<string, string>> {
  return lockRecords(scope, table, ids, isInEnabledDocument(uuid(scope.key), sql`document_id`));
}

interface Deletion {
  /** Table whose primary key is (organization_key, id). */
  table: string;
  condition: Sql;
  /** Called with each part of the rows after they were deleted. */
  onDeleted?: ((records: readonly RecordInDocument[]) => Promise<void>) | undefined;
}

/** A record, and the document to which it belongs. */
export interface RecordInDocument {
  id: string;
  documentId: string;
}

/**
 * Deletes all rows that match, locked in key order to avoid deadlocks. Returns the ids of the first 50,000. The ids
 * travel to the service and back because a join with the rows to be deleted, planned by old statistics, was measured to
 * read all of an organization for each row.
 */
export async function deleteRecords(
  scope: InTransaction<StoredOrganization>,
  deletion: Deletion,
): Promise<Set<string>> {
  const { condition, onDeleted } = deletion;
  const table = identifier(deletion.table);
  const deleted = new Set<string>();
  let ids = [""];
  do {
    const rows = await scope.run(
      unprepared(
        sql<RecordInDocument>`select id, document_id as "documentId" from ${table}
          where organization_key = ${uuid(scope.key)} and ${condition} and id > ${text(ids.at(-1))}
          order by id limit ${integer(CHUNK_ROWS)} for update`,
      ),
    );
    ids = rows.map(({ id }) => id);
    await scope.run(
      unprepared(sql`delete from ${table} where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)})`),
    );
    await onDeleted?.(rows);
    for (const id of ids) if (deleted.size < MAX_IDS_RETURNED) deleted.add(id);
  } while (ids.length === CHUNK_ROWS);
  return deleted;
}
