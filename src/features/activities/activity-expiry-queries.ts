import { sql, texts, unprepared, uuid } from "../../database/sql.ts";
import { lockingOldest } from "../purge/old-rows-queries.ts";
import type { InTransaction, StoredOrganization } from "../tenancy/organization-scope.ts";
import type { RecordInDocument } from "../tenancy/record-queries.ts";

/** Deletes the oldest activities from before a time that are not locked. */
export async function deleteActivitiesBefore(
  scope: InTransaction<StoredOrganization>,
  time: number,
  limit: number,
): Promise<RecordInDocument[]> {
  const rows = await scope.run(
    unprepared(
      sql<RecordInDocument>`select id, document_id as "documentId"
        ${lockingOldest(scope, "activities", time, limit)}`,
    ),
  );
  const ids = texts(rows.map(({ id }) => id));
  await scope.run(
    unprepared(sql`delete from activities where organization_key = ${uuid(scope.key)} and id = any(${ids})`),
  );
  return rows;
}
