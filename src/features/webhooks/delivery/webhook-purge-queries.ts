import { EMPTY, integer, sql, uuid, uuids } from "../../../database/sql.ts";
import { existedAt, type Moment } from "../../purge/purge-queries.ts";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";

/** The JSON text that holds every ID and text of users in a message. */
export const NAMING_TEXT = sql`json_build_object('event', event, 'attempts', attempts)::text`;

const SCANNED_ROWS = 500;

/** Returns the next messages that existed at the acceptance, by ID, and the last ID if there may be more. */
export async function scanMessages(
  scope: StoredOrganization,
  accepted: Moment,
  after: string | undefined,
): Promise<{ rows: { id: string; text: string }[]; next: string | undefined }> {
  const rows = await scope.run(
    sql<{ id: string; text: string }>`select id, ${NAMING_TEXT} as text from webhook_messages
      where organization_key = ${uuid(scope.key)} and ${existedAt({ writtenAt: "created_at" }, accepted)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
      order by id limit ${integer(SCANNED_ROWS)}`,
  );
  return { rows, next: rows.length < SCANNED_ROWS ? undefined : rows.at(-1)?.id };
}

/** Deletes messages. Returns how many. Locks rows in key order to avoid deadlocks. */
export async function purgeMessages(scope: StoredOrganization, ids: string[]): Promise<number> {
  const purged = await scope.run(
    sql`with to_purge as (
        select id from webhook_messages
        where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)}) order by id for update
      )
      delete from webhook_messages using to_purge
      where webhook_messages.organization_key = ${uuid(scope.key)} and webhook_messages.id = to_purge.id
      returning webhook_messages.id`,
  );
  return purged.length;
}
