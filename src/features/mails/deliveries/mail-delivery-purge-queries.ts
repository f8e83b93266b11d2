import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, EMPTY, integer, sql, text, uuid, uuids } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import { existedAt, type Moment } from "../../purge/purge-queries.ts";
import { userPages } from "../../purge/user-purge-queries.ts";
import type { CrossTenantScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

/** The JSON text that holds the address of a mail, and what a server has said about it. */
export const NAMING_TEXT = sql`json_build_object('address', address, 'reason', reason)::text`;

const SCANNED_ROWS = 500;

/** Returns the next rows that existed at the acceptance, by ID, and the last ID if there may be more. */
export async function scanDeliveries(
  scope: StoredOrganization,
  accepted: Moment,
  after: string | undefined,
): Promise<{ rows: { id: string; text: string }[]; next: string | undefined }> {
  const rows = await scope.run(
    sql<{ id: string; text: string }>`select id, ${NAMING_TEXT} as text from mail_deliveries
      where organization_key = ${uuid(scope.key)} and ${existedAt({ writtenAt: "created_at" }, accepted)}
        ${after === undefined ? EMPTY : sql`and id > ${uuid(after)}`}
      order by id limit ${integer(SCANNED_ROWS)}`,
  );
  return { rows, next: rows.length < SCANNED_ROWS ? undefined : rows.at(-1)?.id };
}

/** Returns the oldest mails that were queued before the retention, at most `limit`. */
export function selectOldDeliveries(
  scope: CrossTenantScope,
  retentionMs: number,
  limit: number,
): Promise<{ key: OrganizationKey; id: string }[]> {
  return scope.run(
    sql<{ key: OrganizationKey; id: string }>`select ${KEY_DIGITS} as key, id
      from mail_deliveries where created_at < ${NOW_MS} - ${bigint(retentionMs)}
      order by created_at limit ${integer(limit)}`,
  );
}

/** Deletes rows. Returns how many. Locks them in key order to avoid deadlocks. */
export async function purgeDeliveries(scope: StoredOrganization, ids: string[]): Promise<number> {
  const purged = await scope.run(
    sql`with to_purge as (
        select id from mail_deliveries
        where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)}) order by id for update
      )
      delete from mail_deliveries using to_purge
      where mail_deliveries.organization_key = ${uuid(scope.key)} and mail_deliveries.id = to_purge.id
      returning mail_deliveries.id`,
  );
  return purged.length;
}

/** Reads one page of the mails to a user. */
export const selectMailDeliveryExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select id::text as id, 0 as record_bytes, json_build_object('mailId', id, 'documentId', document_id,
          'address', address, 'triggers', triggers, 'state', state, 'reason', reason, 'createdAt', created_at,
          'updatedAt', updated_at) as record
      from mail_deliveries where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as entry where true`,
  keys: ["id"],
  keyType: "text",
});
