import type { OrganizationKey } from "../../database/keys.ts";
import { bigint, EMPTY, integer, type Sql, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import { AHEAD_MS } from "../../database/time.ts";
import { buildPurgeOfLockedRows, existedAt, purging } from "../purge/purge-queries.ts";
import type { DeletedUsers } from "../purge/user-data-kind.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { CrossTenantScope, OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, KEY_DIGITS } from "../tenancy/tenancy-queries.ts";
import { DAY_MS, NOW_ONCE, OFFLINE_AFTER_MS } from "./presence-time-queries.ts";

/** Condition that an entry was renewed within 10 minutes, and not while the clock was ahead. */
export const IS_RENEWED = sql`last_active > ${NOW_ONCE} - ${OFFLINE_AFTER_MS} and ${isPast(sql`last_active`)}`;
/** Condition that an entry was renewed within 24 hours, and not while the clock was ahead. */
const IS_PRESENT = sql`presence.last_active > ${NOW_ONCE} - ${DAY_MS} and ${isPast(sql`presence.last_active`)}`;

/** Returns the condition that a time was not written while the clock was ahead. */
function isPast(time: Sql): Sql {
  return sql`${time} <= ${NOW_ONCE} + ${bigint(AHEAD_MS)}`;
}

/** Returns the expression for the JSON text of an entry, whose first field is `id` and whose status is `status`. */
export function entryText(id: Sql, status: Sql): Sql {
  return sql`'{' || ${id} || coalesce(',"name":' || name, '') || coalesce(',"email":' || email, '')
    || ',"status":"' || ${status} || '","lastActive":' || last_active || '}'`;
}

/** Returns the JSON array of the users present in a document, by user id; with `userIds`, only theirs. */
export async function selectPresence(
  scope: OrganizationScope,
  documentId: string,
  userIds: string[] | undefined,
): Promise<{ users: string; block: AccessBlock | null }> {
  const entry = entryText(
    sql`'"userId":' || to_json(user_id)`,
    sql`case when ${IS_RENEWED} then status else 'offline' end`,
  );
  const [row] = await scope.run(
    sql<{
      users: string | null;
      block: AccessBlock | null;
    }>`select ${buildAccessBlock(scope.key, documentId)} as block,
        string_agg(entry, ',') as users
      from (
        select ${entry} as entry from presence
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)} and ${IS_PRESENT}
          ${userIds ? sql`and user_id = any(${texts(userIds)})` : EMPTY}
        order by user_id
      ) as entries`,
  );
  return { users: `[${row?.users ?? ""}]`, block: row?.block ?? null };
}

/** Deletes the users' entries in a document. Returns whose were deleted. Locks rows in key order to avoid deadlocks. */
export async function deletePresenceRows(
  scope: OrganizationScope,
  documentId: string,
  userIds: string[],
): Promise<string[]> {
  const deleted = await scope.run(
    sql<{ userId: string }>`with leaving as (
        select document_id, user_id from presence
        where organization_key = ${uuid(scope.key)} and document_id = ${text(documentId)}
          and user_id = any(${texts(userIds)})
        order by user_id for update
      )
      delete from presence using leaving
      where presence.organization_key = ${uuid(scope.key)} and presence.document_id = leaving.document_id
        and presence.user_id = leaving.user_id
      returning presence.user_id as "userId"`,
  );
  return deleted.map(({ userId }) => userId);
}

/** Condition that an entry expired, which is a range of an index. */
const IS_EXPIRED = sql`active_hour < (${NOW_ONCE} - ${DAY_MS}) / (60 * 60 * 1000)`;

/**
 * Deletes at most `limit` expired entries, those of each organization by a statement. Skips locked rows, so that
 * several processes can do this at the same time. Returns how many have expired, or 0 if others delete all of them.
 */
export async function deleteExpired(scope: CrossTenantScope, limit: number): Promise<number> {
  const expired = await scope.run(
    sql<{ key: OrganizationKey; documentId: string; userId: string }>`select ${KEY_DIGITS} as key,
        document_id as "documentId", user_id as "userId"
      from presence where ${IS_EXPIRED} order by active_hour limit ${integer(limit)}`,
  );
  let count = 0;
  for (const [key, entries] of Map.groupBy(expired, (entry) => entry.key)) {
    const [row] = await scope.run(
      purging(
        (isDistributed) => sql<{ count: number }>`with to_purge as materialized (
          select ctid as row_id from presence
          where organization_key = ${uuid(key)} and ${IS_EXPIRED}
            and document_id = any(${texts([...new Set(entries.map(({ documentId }) => documentId))])})
            and user_id = any(${texts([...new Set(entries.map(({ userId }) => userId))])})
          for update skip locked
        ), purged as (${buildPurgeOfLockedRows("presence", key, isDistributed)} returning 1 as one)
        select count(*) as count from purged`,
      ),
    );
    count += row?.count ?? 0;
  }
  return count > 0 ? expired.length : 0;
}

/** Reads one page of a user's entries, by document. */
export const selectPresenceExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select document_id, 0 as record_bytes,
        ${entryText(sql`'"documentId":' || to_json(document_id)`, sql`status`)} as record
      from presence where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as entry where true`,
  keys: ["document_id"],
  keyType: "text",
});

/** Returns the JSON texts of the email addresses in the users' entries, each once. */
export async function selectAddresses(scope: StoredOrganization, users: DeletedUsers): Promise<string[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ email: string }>`select distinct email::text as email from presence
        where organization_key = ${uuid(scope.key)} and user_id = any(${texts(users.userIds)})
          and ${existedAt({ writtenAt: "last_active" }, users.accepted)} and email is not null`,
    ),
  );
  return rows.map(({ email }) => email);
}
