import { identifier, type Sql, sql } from "../../../database/sql.ts";

// A row that overwrites one awaiting its purge is a new record, which the purge must not take for the old one.

/** The column of the time of writing, or `written_at` if it is set and else `created_at`. */
type WrittenAt = "created_at" | "written_at" | "written_at else created_at";

function timeOfWriting(row: Sql, writtenAt: WrittenAt): Sql {
  if (writtenAt !== "written_at else created_at") return sql`${row}.${identifier(writtenAt)}`;
  return sql`coalesce(${row}.written_at, ${row}.created_at)`;
}

/** Returns the condition that a row was deleted with its document and only waits for the purge. */
export function awaitsDocumentPurge(table: string, writtenAt: WrittenAt = "created_at"): Sql {
  const row = identifier(table);
  return sql`coalesce(${timeOfWriting(row, writtenAt)} <= (
    select erased_at from document_erasures
    where document_erasures.organization_key = ${row}.organization_key
      and document_erasures.document_id = ${row}.document_id), false)`;
}

/** Returns the condition that a row is to be purged with its user. */
export function awaitsUserPurge(table: string, writtenAt: WrittenAt = "created_at"): Sql {
  const row = identifier(table);
  return sql`exists (
    select from user_data_deletions deletion join organizations using (workspace_id)
    where organizations.organization_key = ${row}.organization_key and deletion.stage <> 'done'
      and ${row}.user_id = any(deletion.user_ids) and ${timeOfWriting(row, writtenAt)} <= deletion.accepted_at
      and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids)))`;
}

/** Returns the condition that a row is to be purged with its document or user. */
export function awaitsPurge(table: string, writtenAt: WrittenAt = "created_at"): Sql {
  return sql`(${awaitsDocumentPurge(table, writtenAt)} or ${awaitsUserPurge(table, writtenAt)})`;
}

/** Returns the value of an overwritten row's column: its own, unless the row only waits to be purged. */
export function keptUnlessPurged(table: string, column: string, condition = awaitsPurge(table)): Sql {
  const [row, name] = [identifier(table), identifier(column)];
  return sql`case when ${condition} then excluded.${name} else ${row}.${name} end`;
}
