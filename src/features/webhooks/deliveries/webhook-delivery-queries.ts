import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, EMPTY, integer, sql, text, texts, uuid } from "../../../database/sql.ts";
import { NOW_MS } from "../../../database/time.ts";
import type { CrossTenantScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";
import type { Attempt, MessageSubject } from "../delivery/message.ts";

export interface StoredDelivery {
  id: string;
  event: Pick<MessageSubject, "kind" | "organizationId">;
  documentId: string | null;
  /** Times are milliseconds since the epoch. */
  createdAt: number;
  nextAt: number | null;
  status: "pending" | "delivered" | "failed" | "canceled";
  attempts: Attempt[];
}

/** Reads the messages of all organizations to an endpoint, newest first: those older than `before`, if it is given. */
export function selectDeliveries(
  scope: CrossTenantScope,
  endpointId: string,
  { before, statuses, limit }: { before: string | undefined; statuses: string[] | undefined; limit: number },
): Promise<StoredDelivery[]> {
  return scope.run(
    sql<StoredDelivery>`select id, event, document_id as "documentId", created_at as "createdAt", next_at as "nextAt",
        status, attempts
      from webhook_messages where target = ${text(endpointId)}
        ${before === undefined ? EMPTY : sql`and id < ${uuid(before)}`}
        ${statuses === undefined ? EMPTY : sql`and status = any(${texts(statuses)})`}
      order by id desc limit ${integer(limit)}`,
  );
}

/** Returns the organization of a message to an endpoint, or undefined if there is no such message. */
export async function selectDeliveryOrganization(
  scope: CrossTenantScope,
  endpointId: string,
  id: string,
): Promise<OrganizationKey | undefined> {
  const [found] = await scope.run(
    sql<{ key: OrganizationKey }>`select ${KEY_DIGITS} as key
      from webhook_messages where target = ${text(endpointId)} and id = ${uuid(id)}`,
  );
  return found?.key;
}

/**
 * Schedules a message of an endpoint again, from the first attempt on. Returns whether there is one. Its time always
 * changes, so that an attempt in progress does not overwrite the new state (see recordAttempt).
 */
export async function sendAgain(scope: StoredOrganization, endpointId: string, id: string): Promise<boolean> {
  const updated = await scope.run(
    sql<{ id: string }>`update webhook_messages set status = 'pending', failures = 0,
        next_at = case when next_at = now then now + 1 else now end
      from (select ${NOW_MS} as now) as clock
      where organization_key = ${uuid(scope.key)} and id = ${uuid(id)} and target = ${text(endpointId)}
      returning id`,
  );
  return updated.length > 0;
}

/** Returns what a message to an endpoint is about, or undefined if there is no such message. */
export async function selectDeliverySubject(
  scope: CrossTenantScope,
  endpointId: string,
  id: string,
): Promise<MessageSubject | undefined> {
  const [found] = await scope.run(
    sql<{ event: MessageSubject; documentId: string | null }>`select event, document_id as "documentId"
      from webhook_messages where target = ${text(endpointId)} and id = ${uuid(id)}`,
  );
  return found && { ...found.event, documentId: found.documentId };
}

/**
 * Schedules the messages of an endpoint again, from the first attempt on, that have failed since a time, also those for
 * which an attempt would follow. Returns their number. Locks rows in key order to avoid deadlocks.
 */
export async function sendFailedAgain(scope: CrossTenantScope, endpointId: string, since: number): Promise<number> {
  const isAffected = sql`target = ${text(endpointId)} and created_at >= ${bigint(since)}
    and (status = 'failed' or status = 'pending' and failures > 0)`;
  const organizations = await scope.run(
    sql<{ key: OrganizationKey }>`select distinct ${KEY_DIGITS} as key from webhook_messages where ${isAffected}`,
  );
  let count = 0;
  for (const { key } of organizations) {
    const updated = await scope.run(
      sql<{ id: string }>`with failed as (
          select id from webhook_messages where organization_key = ${uuid(key)} and ${isAffected} order by id for update
        )
        update webhook_messages set status = 'pending', failures = 0,
          next_at = case when next_at = now then now + 1 else now end
        from failed, (select ${NOW_MS} as now) as clock
        where organization_key = ${uuid(key)} and webhook_messages.id = failed.id
        returning webhook_messages.id`,
    );
    count += updated.length;
  }
  return count;
}
