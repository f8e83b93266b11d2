import { bigint, integer, sql, texts, unprepared, uuid } from "../../database/sql.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import type { RecordInDocument } from "../tenancy/record-queries.ts";

/** Deletes the oldest activities from before a time and skips locked ones. Without waits for locks, none deadlocks. */
export async function deleteActivitiesBefore(
  scope: InTransaction<StoredOrganization>,
  time: number,
  limit: number,
): Promise<RecordInDocument[]> {
  const rows = await scope.run(
    unprepared(
      sql<RecordInDocument>`select id, document_id as "documentId" from activities
        where organization_key = ${uuid(scope.key)} and created_at < ${bigint(time)}
        order by created_at, sequence limit ${integer(limit)} for update skip locked`,
    ),
  );
  const ids = texts(rows.map(({ id }) => id));
  await scope.run(
    unprepared(sql`delete from activities where organization_key = ${uuid(scope.key)} and id = any(${ids})`),
  );
  return rows;
}
