import type { OrganizationKey } from "../../../../database/keys.ts";
import { bigint, integer, sql, text, uuid, uuids } from "../../../../database/sql.ts";
import { isAhead, NOW_MS } from "../../../../database/time.ts";
import type { CrossTenantScope, StoredOrganization } from "../../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../../tenancy/tenancy-queries.ts";

interface MessageKey {
  key: OrganizationKey;
  id: string;
}

/** Makes messages due whose first attempt would be too late, because they were written while the clock was ahead. */
export async function bringForward(scope: CrossTenantScope): Promise<void> {
  await scope.run(sql`update webhook_messages set next_at = ${NOW_MS} where failures = 0 and ${isAhead(sql`next_at`)}`);
}

/** Returns up to `limit` messages without further attempts that were written before a time, the oldest first. */
export function selectOldMessages(scope: CrossTenantScope, keptMs: number, limit: number): Promise<MessageKey[]> {
  return scope.run(
    sql<MessageKey>`select ${KEY_DIGITS} as key, id
      from webhook_messages where created_at < ${NOW_MS} - ${bigint(keptMs)} and next_at is null
      order by created_at limit ${integer(limit)}`,
  );
}

/** Returns who has more than `limit` messages. */
export async function selectFullTargets(scope: CrossTenantScope, limit: number): Promise<string[]> {
  const rows = await scope.run(
    sql<{ target: string }>`select target
      from webhook_messages where target is not null group by target having count(*) > ${integer(limit)}`,
  );
  return rows.map(({ target }) => target);
}

/** Returns up to `limit` messages of a target that have no further attempts and are older than its newest ones. */
export async function selectSurplus(
  scope: CrossTenantScope,
  target: string,
  { kept, limit }: { kept: number; limit: number },
): Promise<MessageKey[]> {
  const [oldestKept] = await scope.run(
    sql<{ createdAt: number; id: string }>`select created_at as "createdAt", id
      from webhook_messages where target = ${text(target)}
      order by created_at desc, id desc limit 1 offset ${integer(kept - 1)}`,
  );
  if (!oldestKept) return [];
  return scope.run(
    sql<MessageKey>`select ${KEY_DIGITS} as key, id
      from webhook_messages where target = ${text(target)} and next_at is null
        and (created_at, id) < (${bigint(oldestKept.createdAt)}, ${uuid(oldestKept.id)})
      order by created_at, id limit ${integer(limit)}`,
  );
}

/** Deletes messages of one organization. Locks rows in key order to avoid deadlocks. Returns how many. */
export async function deleteMessages(scope: StoredOrganization, ids: string[]): Promise<number> {
  const deleted = await scope.run(
    sql`with to_purge as (
        select id from webhook_messages
        where organization_key = ${uuid(scope.key)} and id = any(${uuids(ids)}) and next_at is null
        order by id for update skip locked
      )
      delete from webhook_messages using to_purge
      where webhook_messages.organization_key = ${uuid(scope.key)} and webhook_messages.id = to_purge.id
      returning webhook_messages.id`,
  );
  return deleted.length;
}
