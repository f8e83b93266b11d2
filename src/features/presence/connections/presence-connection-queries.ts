import type { OrganizationKey } from "../../../database/keys.ts";
import { bigint, integer, type Sql, sql, texts, uuid, uuids } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { CrossTenantScope, StoredOrganization } from "../../tenancy/organization-scope.ts";
import { fromExistingDocuments, KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";
import { NOW_ONCE, OFFLINE_AFTER_MS } from "../presence-time-queries.ts";

/** A user in a document. */
export interface UserInDocument {
  documentId: string;
  userId: string;
}

/** Returns the relation `given` of the users. */
function given(users: readonly UserInDocument[]): Sql {
  return sql`unnest(${texts(users.map(({ documentId }) => documentId))}, ${texts(users.map(({ userId }) => userId))})
    as given (document_id, user_id)`;
}

/** Writes that users have connections at a process, in documents that exist. Writes rows in key order. */
export async function insertConnections(
  scope: StoredOrganization,
  users: readonly UserInDocument[],
  processId: string,
): Promise<void> {
  await scope.run(
    sql`insert into presence_connections (organization_key, document_id, user_id, process_id, connected_at)
      select document.organization_key, document.document_id, given.user_id, ${uuid(processId)}, ${NOW_ONCE}
      ${fromExistingDocuments(scope.key, given(users))}
      order by document.document_id, given.user_id collate "C"
      on conflict (organization_key, document_id, user_id, process_id) do nothing`,
  );
}

/** Returns the select that locks the entries of users, in key order to avoid deadlocks. */
function lockedEntries(organizationKey: OrganizationKey, users: readonly UserInDocument[]): Sql {
  return sql`select document_id, user_id from presence
    where organization_key = ${uuid(organizationKey)}
      and (document_id, user_id) in (select given.document_id, given.user_id from ${given(users)})
    order by document_id, user_id for update`;
}

/** Locks the entries of users. Whoever deletes their connections does this first. */
export async function lockPresence(scope: StoredOrganization, users: readonly UserInDocument[]): Promise<void> {
  await scope.run(lockedEntries(scope.key, users));
}

/** Renews the entries of users who are still connected. Those that were deleted since they connected stay deleted. */
export async function renewEntries(scope: StoredOrganization, users: readonly UserInDocument[]): Promise<void> {
  await scope.run(
    sql`with connected as (${lockedEntries(scope.key, users)})
      update presence set last_active = ${NOW_ONCE} from connected
      where presence.organization_key = ${uuid(scope.key)} and presence.document_id = connected.document_id
        and presence.user_id = connected.user_id`,
  );
}

/** Deletes the connections that users have at processes. */
export async function deleteConnections(
  scope: StoredOrganization,
  users: readonly UserInDocument[],
  processIds: readonly string[],
): Promise<void> {
  await scope.run(
    sql`delete from presence_connections using ${given(users)}
      where presence_connections.organization_key = ${uuid(scope.key)}
        and presence_connections.document_id = given.document_id and presence_connections.user_id = given.user_id
        and presence_connections.process_id = any(${uuids(processIds)})`,
  );
}

/**
 * Takes those of the locked users offline who have no connection any more. A heartbeat of a backend still counts for
 * 10 minutes. Returns them with their status, unless they were offline before.
 */
export async function takeOffline(
  scope: StoredOrganization,
  users: readonly UserInDocument[],
): Promise<(UserInDocument & { status: string })[]> {
  const organization = uuid(scope.key);
  const isFresh = sql`presence.heartbeat_at > leaving.now - ${OFFLINE_AFTER_MS}`;
  return scope.run(
    sql<UserInDocument & { status: string }>`update presence set
        status = case when ${isFresh} then presence.status else 'offline' end,
        last_active = case when ${isFresh} then presence.heartbeat_at else presence.last_active end
      from (select given.document_id, given.user_id, ${NOW_ONCE} as now from ${given(users)}) as leaving
      where presence.organization_key = ${organization} and presence.document_id = leaving.document_id
        and presence.user_id = leaving.user_id and presence.status <> 'offline' and not exists (
          select 1 as one from presence_connections other
          where other.organization_key = ${organization} and other.document_id = presence.document_id
            and other.user_id = presence.user_id)
      returning presence.document_id as "documentId", presence.user_id as "userId", presence.status`,
  );
}

/** A lease of a process. */
export interface ProcessLease {
  processId: string;
  beat: number;
  isDead: boolean;
}

/** Creates the lease of this process. */
export async function insertLease(database: Queryable, processId: string): Promise<void> {
  await database.run(
    sql`insert into presence_processes (process_id, beat) values (${uuid(processId)}, 0) on conflict do nothing`,
  );
}

/** Renews the lease of this process, if it has one, and reads all of them as they were before that. */
export async function renewLease(
  database: Queryable,
  processId: string,
): Promise<(ProcessLease & { isRenewed: boolean })[]> {
  return database.run(
    sql<ProcessLease & { isRenewed: boolean }>`with renewed as (
        update presence_processes set beat = beat + 1
        where process_id = ${uuid(processId)} and not is_dead returning process_id
      )
      select replace(process_id::text, '-', '') as "processId", beat, is_dead as "isDead",
        process_id in (select process_id from renewed) as "isRenewed"
      from presence_processes`,
  );
}

/** Ends a lease, unless it has been renewed since it was read. Returns whether it has ended. */
export async function endLease(database: Queryable, { processId, beat }: ProcessLease): Promise<boolean> {
  const ended = await database.run(
    sql`update presence_processes set is_dead = true
      where process_id = ${uuid(processId)} and beat = ${bigint(beat)} returning 1 as one`,
  );
  return ended.length > 0;
}

export async function deleteLease(database: Queryable, processId: string): Promise<void> {
  await database.run(sql`delete from presence_processes where process_id = ${uuid(processId)} and is_dead`);
}

/** Reads up to `limit` connections of processes, in all organizations. */
export async function selectConnections(
  scope: CrossTenantScope,
  processIds: readonly string[],
  limit: number,
): Promise<(UserInDocument & { organizationKey: OrganizationKey })[]> {
  return scope.run(
    sql<UserInDocument & { organizationKey: OrganizationKey }>`select
        ${KEY_DIGITS} as "organizationKey", document_id as "documentId", user_id as "userId"
      from presence_connections where process_id = any(${uuids(processIds)}) limit ${integer(limit)}`,
  );
}
