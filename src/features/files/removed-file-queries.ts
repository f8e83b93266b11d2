import { DAY_MS } from "../../database/expiry.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, EMPTY, integer, type Sql, sql, text, texts, unprepared, uuid, uuids } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import { existedAt, type Moment } from "../purge/purge-queries.ts";
import type { CrossTenantScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import { buildIsReferenced, isReferenced, NEVER_REFERENCED } from "./file-queries.ts";

// A file is removed in two steps: first its row is marked, so that nobody can use it any more; then its bytes are
// deleted, and the row after them. A process that ends in between leaves the row to the next one.

/** Maximum number of files that one statement marks. */
export const MARKED_AT_ONCE = 1_000;
/** Time in which a record must name a file. */
const UNUSED_MS = DAY_MS;

/** Returns the condition that no record has referenced the file in time, or that its record no longer does. */
function isUnreferenced(isReferenced: Sql): Sql {
  const isUnused = sql`created_at < ${NOW_MS} - ${bigint(UNUSED_MS)}`;
  return sql`removed_at is null and case when ${NEVER_REFERENCED} then ${isUnused} else not ${isReferenced} end`;
}

/** Returns which of the organizations have files to remove, or such that are marked, in the order of their keys. */
export async function selectKeysWithUnreferencedFiles(
  scope: CrossTenantScope,
  keys: OrganizationKey[],
): Promise<OrganizationKey[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ key: OrganizationKey }>`select ${KEY_DIGITS} as key from organizations
        where organization_key = any(${uuids(keys)}) and exists (
          select 1 from files where files.organization_key = organizations.organization_key
            and (removed_at is not null or ${isUnreferenced(buildIsReferenced(sql`files.organization_key`))})
        ) order by organization_key`,
    ),
  );
  return rows.map(({ key }) => key);
}

/** Marks the next files that no record references. Skips rows that are locked. Returns how many. */
export function markUnreferencedFiles(scope: StoredOrganization): Promise<number> {
  return mark(scope, isUnreferenced(isReferenced(scope.key)), sql`skip locked`);
}

/** Marks the next files that the users had uploaded at the moment. Returns how many. */
export function markFilesOf(scope: StoredOrganization, userIds: string[], accepted: Moment): Promise<number> {
  const isTheirs = sql`user_id = any(${texts(userIds)}) and ${existedAt({ writtenAt: "created_at" }, accepted)}`;
  return mark(scope, sql`removed_at is null and ${isTheirs}`);
}

/** Marks the next files of an organization that is being deleted by this mark. Returns how many. */
export function markAllFiles(scope: StoredOrganization, deletedAt: string): Promise<number> {
  const isDeleted = sql`exists (select 1 from organizations where organization_key = ${uuid(scope.key)}
    and extract(epoch from deleted_at) = ${text(deletedAt)}::numeric)`;
  return mark(scope, sql`removed_at is null and ${isDeleted}`);
}

/** Marks a file whose bytes are missing. */
export async function markMissingFile(scope: StoredOrganization, fileId: string): Promise<void> {
  await mark(scope, sql`removed_at is null and id = ${text(fileId)}`);
}

/** Marks the next files, up to `MARKED_AT_ONCE`. Returns how many. */
async function mark(scope: StoredOrganization, condition: Sql, locking = EMPTY): Promise<number> {
  const rows = await scope.run(
    unprepared(
      sql<{ id: string }>`with marked_file as materialized (
        select id from files where organization_key = ${uuid(scope.key)} and ${condition}
        order by id limit ${integer(MARKED_AT_ONCE)} for update ${locking}
      )
      update files set removed_at = ${NOW_MS}
      where organization_key = ${uuid(scope.key)} and id = any(array(select id from marked_file))
      returning id`,
    ),
  );
  return rows.length;
}

/** Returns the next files whose bytes are to be deleted. */
export async function selectRemovedFiles(scope: StoredOrganization, after: string, limit: number): Promise<string[]> {
  const rows = await scope.run(
    sql<{ id: string }>`select id from files
      where organization_key = ${uuid(scope.key)} and removed_at is not null and id > ${text(after)}
      order by id limit ${integer(limit)}`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes the rows of files whose bytes are deleted. */
export async function deleteFileRows(scope: StoredOrganization, ids: readonly string[]): Promise<void> {
  await scope.run(
    sql`delete from files
      where organization_key = ${uuid(scope.key)} and id = any(${texts([...ids])}) and removed_at is not null`,
  );
}
