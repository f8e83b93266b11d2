import type { Queryable } from "../../../database/database.ts";
import type { UsersScope } from "../../erasure/user-data-kind.ts";
import { type MentioningRecords, mayMention, type UserRows } from "../../erasure/users/queries.ts";

// Each looks through many organizations at once, locks nothing, and is planned anew each time.

/** What is asked of many organizations. */
export interface UsersInPlaces extends Omit<UsersScope, "organizationKey"> {
  organizationKeys: string[];
}

/** In which organizations each of the tables has rows of the users: a look into an index for each user and table. */
export async function selectPlacesOfRows(
  database: Queryable,
  tables: readonly UserRows[],
  { organizationKeys, userIds, acceptedAt }: UsersInPlaces,
): Promise<Map<UserRows, Set<string>>> {
  const parts = tables.map(
    ({ table, writtenAt, condition = "true" }, index) =>
      `select ${index} as index, place.organization_key as "organizationKey"
       from unnest($1::uuid[]) as place (organization_key) cross join lateral (
         select from unnest($2::text[]) as person (person_id) cross join lateral (
           select from ${table}
           where ${table}.organization_key = place.organization_key and user_id = person_id and ${condition}
             and ${writtenAt} <= $3
           order by ${writtenAt} limit 1
         ) as row_of_user limit 1
       ) as row_of_users`,
  );
  const { rows } = await database.unprepared<{ index: number; organizationKey: string }>(parts.join(" union all "), [
    ...[organizationKeys, userIds, acceptedAt],
  ]);
  const byIndex = Map.groupBy(rows, ({ index }) => index);
  return new Map(
    tables.map((table, index) => [table, new Set(byIndex.get(index)?.map(({ organizationKey }) => organizationKey))]),
  );
}

/** Of an organization with more, only the scan of that organization finds out. */
const LOOKED_AT_ROWS = 100;
const LOOKED_AT_BYTES = 64 * 1024;

interface PlaceOfRecords {
  organizationKey: string;
  /** There is more than is looked at here. */
  isLarge: boolean;
  /** Records that may mention somebody. */
  texts: string[] | null;
}

/** The organizations whose records in the table may mention somebody. */
export async function selectPlacesOfRecords(
  database: Queryable,
  { table, key, writtenAt = "0::bigint", hasBytes, text = "record::text" }: MentioningRecords,
  { organizationKeys, acceptedAt }: UsersInPlaces,
  patterns: string[],
): Promise<PlaceOfRecords[]> {
  const { rows } = await database.unprepared<PlaceOfRecords>(
    `select place.organization_key as "organizationKey", is_large as "isLarge", texts
     from unnest($1::uuid[]) as place (organization_key) cross join lateral (
       select bool_or(is_large) as is_large, array_agg(text) filter (where text is not null) as texts
       from (
         select is_large,
           case when not is_large and row_written_at <= $2 and ${mayMention(text, 3)} then ${text} end as text
         from (
           select *, count(*) over () > ${LOOKED_AT_ROWS} or sum(row_bytes) over () > ${LOOKED_AT_BYTES} as is_large
           from (
             select *, ${writtenAt} as row_written_at,
               ${hasBytes ? "coalesce(record_bytes, 0)" : "pg_column_size(record)"} as row_bytes
             from ${table} where ${table}.organization_key = place.organization_key and record is not null
             order by ${key.join(", ")} limit ${LOOKED_AT_ROWS + 1}
           ) as record_of_place
         ) as measured
       ) as looked_at
     ) as found
     where is_large or texts is not null`,
    [organizationKeys, acceptedAt, patterns],
  );
  return rows;
}

/** The next organizations behind an id, but those that are being deleted, by id. */
export async function selectKeptOrganizations(
  database: Queryable,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ organizationKey: string; organizationId: string }[]> {
  const { rows } = await database.query<{ organizationKey: string; organizationId: string }>(
    `select organization_key as "organizationKey", organization_id as "organizationId" from organizations
     where workspace_id = $1 and organization_id > $2 and deleted_at is null order by organization_id limit $3`,
    [workspaceId, after, limit],
  );
  return rows;
}
