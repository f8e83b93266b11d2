import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, json, sql, text, texts, uuid } from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";
import { NOW_MS } from "../../database/time.ts";
import { prepareOverwriting } from "../erasure/overwriting/queries.ts";
import { userPages } from "../erasure/users/queries.ts";
import { type AccessBlock, accessBlock, type DocumentRef } from "../tenancy/queries.ts";

/** Writes groups; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeGroups(
  transaction: Queryable,
  organizationKey: string,
  groups: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(groups.map(({ id }) => id));
  const records = texts(groups.map(({ record }) => record));
  await transaction.run(
    sql`insert into user_groups (organization_key, group_id, record)
      select ${uuid(organizationKey)}, group_id, record::json
      from unnest(${ids}, ${records}) as input (group_id, record)
      order by group_id
      on conflict (organization_key, group_id) do update set record = excluded.record`,
  );
}

/**
 * Adds users to a group in one statement, unless the organization is being deleted; members are left unchanged. Creates
 * the organization, the group and the users if missing. The members become users of the organization. Locks existing
 * users in key order, so that deleting one of them at the same time deletes this membership too.
 */
export async function writeMembers(
  database: Queryable,
  { organizationKey, workspaceId, organizationId }: DocumentRef,
  group: { id: string; record: string },
  users: { id: string; record: string }[],
): Promise<AccessBlock | null> {
  const organization = uuid(organizationKey);
  const [ids, records] = [texts(users.map(({ id }) => id)), texts(users.map(({ record }) => record))];
  await purgeOverwrittenMembers(database, organizationKey, group.id, users);
  const [row] = await database.run(
    sql<{ block: AccessBlock | null }>`with found as (
      select ${accessBlock(organizationKey)} as block
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select ${organization}, ${uuid(workspaceId)}, ${text(organizationId)}
      where not exists (select from organizations where organization_key = ${organization})
      on conflict do nothing
      returning organization_key
    ), input as materialized (
      select user_id, record
      -- Reads new_organization first, so that the organization is also written first, as by every writer.
      from found, (select count(*) from new_organization) as written,
        unnest(${ids}, ${records}) as input (user_id, record)
      where block is distinct from 'being deleted' and not exists (
        select from user_group_members member
        where member.organization_key = ${organization} and member.group_id = ${text(group.id)}
          and member.user_id = input.user_id)
      order by user_id
    ), new_group as (
      insert into user_groups (organization_key, group_id, record)
      select ${organization}, ${text(group.id)}, ${json(group.record)} from found
      where block is distinct from 'being deleted' and not exists (
        select from user_groups where organization_key = ${organization} and group_id = ${text(group.id)})
      on conflict do nothing
    ), kept_user as (
      insert into users (organization_key, user_id, record, record_bytes)
      select ${organization}, user_id, record::json, octet_length(record) from input
      on conflict (organization_key, user_id) do update set record_bytes = users.record_bytes
    ), kept_grant as (
      insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
      select ${organization}, user_id, 'organization', '', 'editor', ${NOW_MS} from input
      on conflict (organization_key, user_id, resource_type, resource_id) do update set written_at = excluded.written_at
    ), member as (
      insert into user_group_members (organization_key, group_id, user_id)
      select ${organization}, ${text(group.id)}, user_id from input
      on conflict (organization_key, group_id, user_id) do update set written_at = excluded.written_at
    )
    select block from found`,
  );
  return row?.block ?? null;
}

/** Purges users, and their membership, that await a purge. */
async function purgeOverwrittenMembers(
  database: Queryable,
  organizationKey: string,
  groupId: string,
  users: { id: string }[],
): Promise<void> {
  const table = { time: { writtenAt: "written_at" }, purgedWith: ["user"] } as const;
  await prepareOverwriting(
    database,
    { name: "users", key: ["user_id"], ...table },
    users.map(({ id }) => ({ organizationKey, key: [id] })),
  );
  await prepareOverwriting(
    database,
    { name: "user_group_members", key: ["group_id", "user_id"], ...table },
    users.map(({ id }) => ({ organizationKey, key: [groupId, id] })),
  );
}

/** Removes users from the group, or all members. Returns the ids of those that were members. */
export async function deleteMembers(
  transaction: Queryable,
  organizationKey: string,
  groupId: string,
  userIds: string[] | undefined,
): Promise<Set<string>> {
  const isNamed = userIds ? sql`and user_id = any(${texts(userIds)})` : EMPTY;
  const rows = await transaction.run(
    sql<{ id: string }>`with leaving as (
      select group_id, user_id from user_group_members
      where organization_key = ${uuid(organizationKey)} and group_id = ${text(groupId)} ${isNamed}
      order by user_id for update
    )
    delete from user_group_members using leaving
    where user_group_members.organization_key = ${uuid(organizationKey)}
      and user_group_members.group_id = leaving.group_id and user_group_members.user_id = leaving.user_id
    returning user_group_members.user_id as id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Reads one page of groups by id, each with its members by id. */
export function selectGroupPage(
  database: Queryable,
  organizationKey: string,
  groupIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(organizationKey);
  return selectPageOfRecords(database, {
    source: sql`from (
      select group_id, octet_length(record::text) + coalesce(octet_length(user_ids), 0) as record_bytes,
        left(record::text, -1) || ',"userIds":[' || coalesce(user_ids, '') || ']}' as record
      from user_groups, lateral (
        select string_agg(to_json(user_id)::text, ',' order by user_id) as user_ids from user_group_members
        where user_group_members.organization_key = ${organization}
          and user_group_members.group_id = user_groups.group_id
      ) as members
      where organization_key = ${organization} ${groupIds ? sql`and group_id = any(${texts(groupIds)})` : EMPTY}
    ) as user_group where true`,
    keys: ["group_id"],
    keyType: "text",
    order: "asc",
    extra: accessBlock(organizationKey),
    ...page,
  });
}

/** Reads one page of the groups that the user belongs to, by id. */
export const selectUserGroupExportPage = userPages({
  source: ({ organizationKey, userId }) => sql`from (
    select group_id, json_build_object('organizationUserGroupId', group_id) as record, 0 as record_bytes
    from user_group_members where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
  ) as membership where true`,
  keys: ["group_id"],
  keyType: "text",
});
