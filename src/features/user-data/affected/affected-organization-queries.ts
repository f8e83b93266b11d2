import type { OrganizationKey } from "../../../database/keys.ts";
import {
  identifier,
  identifiers,
  integer,
  join,
  type Sql,
  sql,
  text,
  unprepared,
  uuid,
  uuids,
} from "../../../database/sql.ts";
import { existedAt, type Moment } from "../../purge/purge-queries.ts";
import type { DeletedUsers, MentioningRecords, UserRows } from "../../purge/user-data-kind.ts";
import { mayMention } from "../../purge/user-purge-queries.ts";
import type { CrossTenantScope } from "../../tenancy/organization-scope.ts";
import { buildKeyDigits, KEY_DIGITS } from "../../tenancy/tenancy-queries.ts";

// Each statement searches many organizations at once, locks nothing, and is planned on each call.

/** Users to look for in many organizations. */
export interface UsersInOrganizations extends DeletedUsers {
  organizationKeys: OrganizationKey[];
}

/** The key of the organization `searched`. */
const SEARCHED_KEY = buildKeyDigits(sql`searched.organization_key`);

/** Number of users in one statement, which has a part for each user and table. */
const USERS_PER_STATEMENT = 10;

/** Returns the keys of the organizations in which each table has rows of the users: one index look-up for each. */
export async function selectOrganizationsWithRows(
  scope: CrossTenantScope,
  tables: readonly UserRows[],
  { organizationKeys, userIds, accepted }: UsersInOrganizations,
): Promise<Map<UserRows, Set<OrganizationKey>>> {
  const found = new Map(tables.map((table) => [table, new Set<OrganizationKey>()]));
  for (let start = 0; start < userIds.length; start += USERS_PER_STATEMENT) {
    const users = userIds.slice(start, start + USERS_PER_STATEMENT);
    const parts = tables.map(
      (table, index) => sql`select ${integer(index)} as index, ${SEARCHED_KEY} as "organizationKey"
        from organizations searched where searched.organization_key = any(${uuids(organizationKeys)})
          and (${join(
            users.map((userId) => hasUserRows(table, userId, accepted)),
            " or ",
          )})`,
    );
    const rows = await scope.run(
      unprepared(sql<{ index: number; organizationKey: OrganizationKey }>`${join(parts, " union all ")}`),
    );
    for (const { index, organizationKey } of rows) {
      const table = tables[index];
      if (table) found.get(table)?.add(organizationKey);
    }
  }
  return found;
}

/** Returns the condition that the organization `searched` has rows of the user: the first entry of an index. */
function hasUserRows(table: UserRows, userId: string, accepted: Moment): Sql {
  const { condition = sql`true` } = table;
  const [rows, time] = [identifier(table.table), identifier(table.writtenAt)];
  return sql`((
    select 1 from ${rows}
    where ${rows}.organization_key = searched.organization_key and user_id = ${text(userId)} and ${condition}
      and ${existedAt(table, accepted)}
    order by ${time} limit 1
  ) is not null)`;
}

/** Maximum number of records and bytes that are searched here; a larger organization is scanned by the step itself. */
const SEARCHED_ROWS = 100;
const SEARCHED_BYTES = 64 * 1024;

interface OrganizationWithRecords {
  organizationKey: OrganizationKey;
  /** Whether the organization has more than is searched here. */
  isLarge: boolean;
  /** Records that may mention the users. */
  texts: string[] | null;
}

/** Returns the organizations whose records in the table may mention the users. */
export async function selectOrganizationsWithRecords(
  scope: CrossTenantScope,
  records: MentioningRecords,
  { organizationKeys, accepted }: UsersInOrganizations,
  patterns: string[],
): Promise<OrganizationWithRecords[]> {
  const { hasBytes, text: json = sql`record::text`, condition = sql`true` } = records;
  const table = identifier(records.table);
  // A table without the column `record` would read that of the organization.
  const content = records.text ?? sql`record`;
  const isMentioning = sql`existed and ${mayMention(json, patterns)}`;
  const all = sql`over (partition by organization_key)`;
  const isLarge = sql`count(*) ${all} > ${integer(SEARCHED_ROWS)}
    or sum(row_bytes) ${all} > ${integer(SEARCHED_BYTES)}`;
  return scope.run(
    unprepared(
      sql<OrganizationWithRecords>`select ${SEARCHED_KEY} as "organizationKey", is_large as "isLarge", texts
        from organizations searched cross join lateral (
          select bool_or(is_large) as is_large, array_agg(text) filter (where text is not null) as texts
          from (
            select organization_key, is_large, case when not is_large and ${isMentioning} then ${json} end as text
            from (
              select *, ${isLarge} as is_large
              from (
                select *, ${existedAt(records, accepted)} as existed,
                  ${hasBytes ? sql`coalesce(record_bytes, 0)` : sql`pg_column_size(${content})`} as row_bytes
                from ${table} where ${table}.organization_key = searched.organization_key and ${content} is not null
                  and ${condition}
                order by ${identifiers(records.key)} limit ${integer(SEARCHED_ROWS + 1)}
              ) as searched_record
            ) as measured
          ) as matched
          group by organization_key
        ) as found
        where searched.organization_key = any(${uuids(organizationKeys)}) and (is_large or texts is not null)`,
    ),
  );
}

/** Returns the next organizations after an ID that are not being deleted, by ID. */
export function selectLiveOrganizations(
  scope: CrossTenantScope,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ organizationKey: OrganizationKey; organizationId: string }[]> {
  return scope.run(
    sql<{
      organizationKey: OrganizationKey;
      organizationId: string;
    }>`select ${KEY_DIGITS} as "organizationKey", organization_id as "organizationId" from organizations
      where workspace_id = ${uuid(workspaceId)} and organization_id > ${text(after)} and deleted_at is null
      order by organization_id limit ${integer(limit)}`,
  );
}
