import type { Queryable } from "../../database/database.ts";
import { OWNED_TABLES, type OwnedTable } from "./owned-tables.ts";

// What reads much is planned anew each time: it may be the first large deletion after many small ones.

/** Rows a statement: a few dozen milliseconds, and the locks are gone. */
export const CHUNK_ROWS = 2_000;

/**
 * For `on conflict do update`: whether the row in the way has been deleted with its document and only waits for the
 * job. What overwrites it is then a new record, which the job must not take for the old one.
 */
export function awaitsDocumentPurge(table: string, writtenAt: "created_at" | "written_at" = "created_at"): string {
  return `coalesce(${table}.${writtenAt} <= (
    select erased_at from document_erasures
    where document_erasures.organization_key = ${table}.organization_key
      and document_erasures.document_id = ${table}.document_id), false)`;
}

export interface DocumentTable extends OwnedTable {
  writtenAt: string;
}

export const DOCUMENT_TABLES: readonly DocumentTable[] = OWNED_TABLES.flatMap(({ writtenAt, ...table }) =>
  writtenAt === undefined ? [] : [{ ...table, writtenAt }],
);

/** In the order of an index: where many rows have just been deleted, `exists` would read the whole table. */
export function hasRows(table: string, condition: string, order: string[]): string {
  return `((select 1 from ${table} where ${condition} order by ${order.join(", ")} limit 1) is not null)`;
}

/**
 * Deletes the rows whose places are the `row_id` of `victim`, which has locked them. Not by their keys: planned by
 * statistics from before the table grew, such a join was measured to read all of an organization for each row. A row
 * that was changed since the statement began stays, as if it were still locked.
 */
export function purgeLockedRows(name: string): string {
  return `delete from ${name} where ctid = any(array(select row_id from victim))`;
}

/**
 * The transactions that other connections to this database have begun and not ended. A writer among them may have
 * looked before the deletion and commit after it. (Their transaction ids would not do: one that has not written yet
 * has none.)
 */
export async function selectRunningTransactions(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ virtualtransaction: string }>(
    `select virtualtransaction from pg_locks join pg_stat_activity activity using (pid)
     where locktype = 'virtualxid' and pid <> pg_backend_pid() and datname = current_database()
       and coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  return rows.map(({ virtualtransaction }) => virtualtransaction);
}

export async function areEnded(database: Queryable, transactions: string[]): Promise<boolean> {
  const { rows } = await database.query<{ ended: boolean }>(
    `select not exists (
       select from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1)
     ) as ended`,
    [transactions],
  );
  return rows[0]?.ended === true;
}
