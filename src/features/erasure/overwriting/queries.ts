import { identifier, type Sql, sql } from "../../../database/sql.ts";
import type { WritingTime } from "../owned-tables.ts";
import { timeOfWriting } from "../queries.ts";

// A row that overwrites one awaiting its purge is a new record, which the purge must not take for the old one.

const CREATED: WritingTime = { writtenAt: "created_at" };

/** Returns the condition that a row was deleted with its document and only waits for the purge. */
export function awaitsDocumentPurge(table: string, time = CREATED): Sql {
  const row = identifier(table);
  return sql`coalesce(${timeOfWriting(time, row)} <= (
    select erased_at from document_erasures
    where document_erasures.organization_key = ${row}.organization_key
      and document_erasures.document_id = ${row}.document_id), false)`;
}

/** Returns the condition that a row is to be purged with its user. */
export function awaitsUserPurge(table: string, time = CREATED): Sql {
  const row = identifier(table);
  return sql`exists (
    select from user_data_deletions deletion join organizations using (workspace_id)
    where organizations.organization_key = ${row}.organization_key and deletion.stage <> 'done'
      and ${row}.user_id = any(deletion.user_ids) and ${timeOfWriting(time, row)} <= deletion.accepted_at
      and (deletion.organization_ids is null or organizations.organization_id = any(deletion.organization_ids)))`;
}

/** Returns the condition that a row is to be purged with its document or user. */
export function awaitsPurge(table: string, time = CREATED): Sql {
  return sql`(${awaitsDocumentPurge(table, time)} or ${awaitsUserPurge(table, time)})`;
}

/** Returns the value of an overwritten row's column: its own, unless the row only waits to be purged. */
export function keptUnlessPurged(table: string, column: string, condition = awaitsPurge(table)): Sql {
  const [row, name] = [identifier(table), identifier(column)];
  return sql`case when ${condition} then excluded.${name} else ${row}.${name} end`;
}
