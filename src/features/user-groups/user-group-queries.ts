import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, integer, json, sql, text, texts, uuid } from "../../database/sql.ts";
import { type AccessOrganization, type AccessUser, hasOrganizationGrant } from "../access/access-queries.ts";
import { ORGANIZATION } from "../access/effective-grant-queries.ts";
import { addUsersTo } from "../access/grant-queries.ts";
import { prepareOverwriting } from "../purge/overwriting-queries.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type { InTransaction, OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromOrganization } from "../tenancy/tenancy-queries.ts";
import { lockAllUserRecords } from "../users/user-queries.ts";

/** Writes groups; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeGroups(scope: OrganizationScope, groups: { id: string; record: string }[]): Promise<void> {
  const ids = texts(groups.map(({ id }) => id));
  const records = texts(groups.map(({ record }) => record));
  await scope.run(
    sql`insert into user_groups (organization_key, group_id, record)
      select organization_key, group_id, record::json
      ${fromOrganization(scope.key, sql`unnest(${ids}, ${records}) as input (group_id, record)`)}
      order by group_id collate "C"
      on conflict (organization_key, group_id) do update set record = excluded.record`,
  );
}

/**
 * Adds users to a group; members are left unchanged. Creates the group and the users if missing. New members become
 * users of the organization, without a role unless they have one. Locks users first, and rows in key order, as all
 * writers do: there are no deadlocks, and deleting one of the users at the same time deletes this membership too.
 * Returns the new members.
 */
export async function writeMembers(
  scope: InTransaction<OrganizationScope>,
  group: { id: string; record: string },
  users: readonly { id: string; record: string }[],
): Promise<string[]> {
  const [organization, groupId] = [uuid(scope.key), text(group.id)];
  await purgeOverwrittenMembers(scope, group.id, users);
  await scope.run(
    sql`insert into user_groups (organization_key, group_id, record)
      values (${organization}, ${groupId}, ${json(group.record)})
      on conflict (organization_key, group_id) do update set record = user_groups.record`,
  );
  const members = await selectMembers(scope, group.id, users);
  const added = users.filter(({ id }) => !members.has(id));
  const addedIds = added.map(({ id }) => id);
  const ids = texts(addedIds);
  const records = texts(added.map(({ record }) => record));
  const fromUsers = fromOrganization(scope.key, sql`unnest(${ids}) as input (user_id)`);
  await scope.run(
    sql`insert into users (organization_key, user_id, record, record_bytes)
      select organization_key, user_id, record::json, octet_length(record)
      ${fromOrganization(scope.key, sql`unnest(${ids}, ${records}) as input (user_id, record)`)}
      order by user_id collate "C"
      on conflict (organization_key, user_id) do update set record_bytes = users.record_bytes`,
  );
  await addUsersTo(
    scope,
    ORGANIZATION,
    addedIds.map((userId) => ({ userId, accessRole: undefined })),
  );
  await scope.run(
    sql`insert into user_group_members (organization_key, group_id, user_id)
      select organization_key, ${groupId}, user_id ${fromUsers} order by user_id collate "C"
      on conflict (organization_key, group_id, user_id) do update set written_at = excluded.written_at`,
  );
  return addedIds;
}

/** Returns which of the users are members of the group. */
async function selectMembers(
  scope: OrganizationScope,
  groupId: string,
  users: readonly { id: string }[],
): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ id: string }>`select user_id as id from user_group_members
      where organization_key = ${uuid(scope.key)} and group_id = ${text(groupId)}
        and user_id = any(${texts(users.map(({ id }) => id))})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Purges users, and their membership, that await a purge. Locks users first to avoid deadlocks with their deletion. */
async function purgeOverwrittenMembers(
  scope: InTransaction<OrganizationScope>,
  groupId: string,
  users: readonly { id: string }[],
): Promise<void> {
  const table = { time: { writtenAt: "written_at" }, purgedWith: ["user"] } as const;
  await prepareOverwriting(
    scope,
    { name: "users", key: ["user_id"], ...table },
    users.map(({ id }) => [id]),
  );
  await lockAllUserRecords(
    scope,
    users.map(({ id }) => id),
  );
  await prepareOverwriting(
    scope,
    { name: "user_group_members", key: ["group_id", "user_id"], ...table },
    users.map(({ id }) => [groupId, id]),
  );
}

/** Removes users from the group, or all members. Returns the ids of those that were members. */
export async function deleteMembers(
  scope: OrganizationScope,
  groupId: string,
  userIds: string[] | undefined,
): Promise<Set<string>> {
  const isNamed = userIds ? sql`and user_id = any(${texts(userIds)})` : EMPTY;
  const rows = await scope.run(
    sql<{ id: string }>`with leaving as (
      select group_id, user_id from user_group_members
      where organization_key = ${uuid(scope.key)} and group_id = ${text(groupId)} ${isNamed}
      order by user_id for update
    )
    delete from user_group_members using leaving
    where user_group_members.organization_key = ${uuid(scope.key)}
      and user_group_members.group_id = leaving.group_id and user_group_members.user_id = leaving.user_id
    returning user_group_members.user_id as id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns members of groups by id, at most `limit`. None if the user, if there is one, may not read the groups. */
export function selectMentionedMembers(
  scope: AccessOrganization,
  groupIds: string[],
  user: AccessUser | undefined,
  limit: number,
): Promise<{ groupId: string; userId: string }[]> {
  return scope.run(
    sql<{ groupId: string; userId: string }>`select group_id as "groupId", user_id as "userId" from user_group_members
      where organization_key = ${uuid(scope.key)} and group_id = any(${texts(groupIds)})
        ${user ? sql`and ${hasOrganizationGrant({ organization: scope, user })}` : EMPTY}
      order by group_id, user_id limit ${integer(limit)}`,
  );
}

/** Reads one page of groups by id, without their members. None if the user has no permission on the organization. */
export function selectGroupNamePage(
  scope: AccessOrganization,
  user: AccessUser,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  return selectPageOfRecords(scope, {
    source: sql`from (
      select group_id, octet_length(record::text) as record_bytes, json_build_object(
        'groupId', group_id, 'groupName', record ->> 'groupName'
      ) as record from user_groups where organization_key = ${uuid(scope.key)}
    ) as user_group where ${hasOrganizationGrant({ organization: scope, user })}`,
    keys: ["group_id"],
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(scope.key),
    ...page,
  });
}

/** Reads one page of groups by id, each with its members by id. */
export function selectGroupPage(
  scope: OrganizationScope,
  groupIds: string[] | undefined,
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(scope.key);
  return selectPageOfRecords(scope, {
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
    extra: buildAccessBlock(scope.key),
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
