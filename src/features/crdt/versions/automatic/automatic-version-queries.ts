import type { OrganizationKey } from "../../../../database/keys.ts";
import { bigint, integer, sql, texts, uuid } from "../../../../database/sql.ts";
import { NOW_MS } from "../../../../database/time.ts";
import { buildPurgeOfLockedRows, purging } from "../../../purge/purge-queries.ts";
import type { CrossTenantScope, InTransaction, StoredOrganization } from "../../../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../../../tenancy/tenancy-queries.ts";
import type { CollaborativeDocumentRef } from "../../collaborative-document-ref.ts";
import { matchesRef } from "../../stored/crdt-update-queries.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the ID of the version that has the state of a collaborative document. */
export async function findVersionOf(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
  { clientId, version }: { clientId: number; version: number },
): Promise<string | undefined> {
  const [found] = await scope.run(
    sql<{
      id: string;
    }>`select id from crdt_versions where ${matchesRef(scope, document)} and client_id = ${bigint(clientId)}
      and document_version = ${bigint(version)} limit 1`,
  );
  return found?.id;
}

/** Deletes the oldest automatic versions past a number or size. */
export async function deleteOldest(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { keptVersions, keptBytes }: { keptVersions: number; keptBytes: number },
): Promise<void> {
  const isAutomatic = sql`${matchesRef(scope, document)} and expires_at is not null`;
  await scope.run(
    sql`delete from crdt_versions where ${isAutomatic} and id in (
      select id from (
        select id, row_number() over newest_first as number, sum(octet_length(state)) over newest_first as bytes
        from crdt_versions where ${isAutomatic}
        window newest_first as (order by created_at desc)
      ) as numbered
      where number > ${integer(keptVersions)} or bytes > ${bigint(keptBytes)})`,
  );
}

/**
 * Limits the time for which the automatic version before the newest one is kept: to an hour if they are of the same
 * hour, or to a day if they are of the same day (UTC).
 */
export async function limitPrevious(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
): Promise<void> {
  const isAutomatic = sql`${matchesRef(scope, document)} and expires_at is not null`;
  const [newest, previous] = await scope.run(
    sql<{ time: number }>`select created_at as time from crdt_versions where ${isAutomatic}
      order by created_at desc limit 2`,
  );
  if (!newest || !previous) return;
  const isSame = (unitMs: number) => Math.floor(newest.time / unitMs) === Math.floor(previous.time / unitMs);
  const keptMs = [HOUR_MS, DAY_MS].find(isSame);
  if (keptMs === undefined) return;
  await scope.run(
    sql`update crdt_versions set expires_at = least(expires_at, created_at + ${bigint(keptMs)})
      where ${isAutomatic} and created_at = ${bigint(previous.time)}`,
  );
}

/** Returns for how many days the last automatic version of a day is kept. */
export async function selectKept(scope: StoredOrganization): Promise<number> {
  const [row] = await scope.run(
    sql<{ days: number }>`select workspace.automatic_version_days as days
      from organizations organization join workspaces workspace on workspace.id = organization.workspace_id
      where organization.organization_key = ${uuid(scope.key)}`,
  );
  return row?.days ?? 1;
}

const IS_EXPIRED = sql`expires_at <= ${NOW_MS}`;

/**
 * Deletes at most `limit` automatic versions that have expired, those of each organization by a statement. Skips locked
 * rows, so that several processes can do this at the same time. Returns how many have expired, or 0 if others delete
 * all of them.
 */
export async function deleteExpiredVersions(scope: CrossTenantScope, limit: number): Promise<number> {
  const expired = await scope.run(
    sql<{ key: OrganizationKey; documentId: string; id: string }>`select ${KEY_DIGITS} as key,
        document_id as "documentId", id
      from crdt_versions where ${IS_EXPIRED} order by expires_at limit ${integer(limit)}`,
  );
  let count = 0;
  for (const [key, versions] of Map.groupBy(expired, (version) => version.key)) {
    const [row] = await scope.run(
      purging(
        (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
          select ctid as row_id from crdt_versions
          where organization_key = ${uuid(key)} and ${IS_EXPIRED}
            and document_id = any(${texts([...new Set(versions.map(({ documentId }) => documentId))])})
            and id = any(${texts(versions.map(({ id }) => id))})
          for update skip locked
        ), purged as (${buildPurgeOfLockedRows("crdt_versions", key, isDistributed)} returning 1 as one)
        select count(*) as count from purged`,
      ),
    );
    count += row?.count ?? 0;
  }
  return count > 0 ? expired.length : 0;
}
