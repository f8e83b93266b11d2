import { EMPTY, integer, sql, text, texts, unprepared, uuid, uuids } from "../../database/sql.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";

const CHUNK_HELD = 500;

/** Locks the next delayed notifications of a document, by id. Returns them, and the last id if there may be more. */
export async function lockDelayed(
  scope: InTransaction<OrganizationScope>,
  documentId: string,
  after: string | undefined,
): Promise<{ rows: { id: string; text: string }[]; next: string | undefined }> {
  const afterCursor = after === undefined ? EMPTY : sql`and id > ${uuid(after)}`;
  const rows = await scope.run(
    unprepared(
      sql<{ id: string; text: string }>`select id, record::text as text from delayed_notifications
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} ${afterCursor}
        order by id limit ${integer(CHUNK_HELD)} for update`,
    ),
  );
  return { rows, next: rows.length < CHUNK_HELD ? undefined : rows.at(-1)?.id };
}

/** Replaces the records of locked delayed notifications. */
export async function replaceDelayedRecords(
  scope: OrganizationScope,
  delayed: { id: string; record: string }[],
): Promise<void> {
  await scope.run(
    sql`update delayed_notifications set record = moved.record::json
      from unnest(${uuids(delayed.map(({ id }) => id))}, ${texts(delayed.map(({ record }) => record))})
        as moved (id, record)
      where delayed_notifications.organization_key = ${uuid(scope.key)} and delayed_notifications.id = moved.id`,
  );
}
