import type { Queryable } from "../../database/database.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { awaitsUserPurge, userPages } from "../erasure/users/queries.ts";
import { ACCESS_BLOCK, type AccessBlock, type DocumentRef } from "../tenancy/queries.ts";

/** Overwrites those that exist. In the order of the ids, so that two calls never wait for each other in a circle. */
export async function writeGroups(
  transaction: Queryable,
  organizationKey: string,
  groups: { id: string; record: string }[],
): Promise<void> {
  await transaction.query(
    `insert into user_groups (organization_key, group_id, record)
     select $1, group_id, record::json from unnest($2::text[], $3::text[]) as given (group_id, record)
     order by group_id
     on conflict (organization_key, group_id) do update set record = excluded.record`,
    [organizationKey, groups.map(({ id }) => id), groups.map(({ record }) => record)],
  );
}

/**
 * Adds the users to the group, in one statement, unless the organization is being deleted; where they are in
 * it nothing is written. Organization, group and users are made where they are missing. Users who exist are locked, in
 * the order of their ids: who deletes one of them at the same time deletes this place too.
 */
export async function writeMembers(
  database: Queryable,
  place: DocumentRef,
  group: { id: string; record: string },
  users: { id: string; record: string }[],
): Promise<AccessBlock | null> {
  const { rows } = await database.query<{ block: AccessBlock | null }>(
    `with found as (
       select ${ACCESS_BLOCK} as block
     ), new_organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select $1, $2, $3 where not exists (select from organizations where organization_key = $1)
       on conflict do nothing
       returning organization_key
     ), given as materialized (
       select user_id, record
       -- The organization is read first, so it is also written first, as everywhere.
       from found, (select count(*) from new_organization) as entered,
         unnest($6::text[], $7::text[]) as given (user_id, record)
       where block is distinct from 'deleted' and not exists (
         select from user_group_members member
         where member.organization_key = $1 and member.group_id = $4 and member.user_id = given.user_id
           and not ${awaitsUserPurge("member", "written_at")})
       order by user_id
     ), new_group as (
       insert into user_groups (organization_key, group_id, record)
       select $1, $4, $5::json from found where block is distinct from 'deleted'
         and not exists (select from user_groups where organization_key = $1 and group_id = $4)
       on conflict do nothing
     ), kept_user as (
       insert into users (organization_key, user_id, record, record_bytes)
       select $1, user_id, record::json, octet_length(record) from given
       on conflict (organization_key, user_id) do update set
         record = ${keptUnlessPurged("record")}, record_bytes = ${keptUnlessPurged("record_bytes")},
         written_at = ${keptUnlessPurged("written_at")}
     ), member as (
       insert into user_group_members (organization_key, group_id, user_id)
       select $1, $4, user_id from given
       on conflict (organization_key, group_id, user_id) do update set written_at = excluded.written_at
     )
     select block from found`,
    [
      ...[place.organizationKey, place.workspaceId, place.organizationId, group.id, group.record],
      users.map(({ id }) => id),
      users.map(({ record }) => record),
    ],
  );
  return rows[0]?.block ?? null;
}

/** Of a user who is added again while a job deletes what was. */
function keptUnlessPurged(column: string): string {
  return `case when ${awaitsUserPurge("users", "written_at")} then excluded.${column} else users.${column} end`;
}

/** Returns the ids of those that were members. */
export async function deleteMembers(
  transaction: Queryable,
  organizationKey: string,
  groupId: string,
  userIds: string[],
): Promise<Set<string>> {
  const { rows } = await transaction.query<{ id: string }>(
    `with leaving as (
       select group_id, user_id from user_group_members
       where organization_key = $1 and group_id = $2 and user_id = any($3) order by user_id for update
     )
     delete from user_group_members using leaving
     where user_group_members.organization_key = $1 and user_group_members.group_id = leaving.group_id
       and user_group_members.user_id = leaving.user_id
     returning user_group_members.user_id as id`,
    [organizationKey, groupId, userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** One page by id, each group with its members by id. */
export async function selectPage(
  database: Queryable,
  organizationKey: string,
  groupIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  return selectPageOfRecords(database, {
    source: `from (
      select group_id, octet_length(record::text) + coalesce(octet_length(user_ids), 0) as record_bytes,
        left(record::text, -1) || ',"userIds":[' || coalesce(user_ids, '') || ']}' as record
      from user_groups, lateral (
        select string_agg(to_json(user_id)::text, ',' order by user_id) as user_ids from user_group_members
        where user_group_members.organization_key = $1 and user_group_members.group_id = user_groups.group_id
      ) as members
      where organization_key = $1 ${groupIds ? "and group_id = any($2)" : ""}
    ) as user_group where true`,
    keys: ["group_id"],
    order: "asc",
    values: groupIds ? [organizationKey, groupIds] : [organizationKey],
    extra: ACCESS_BLOCK,
    ...page,
  });
}

/** The groups that the user is in, by id. */
export const selectUserPage = userPages({
  source: `from (
    select group_id, json_build_object('organizationUserGroupId', group_id) as record, 0 as record_bytes
    from user_group_members where organization_key = $1 and user_id = $2
  ) as membership where true`,
  keys: ["group_id"],
});
