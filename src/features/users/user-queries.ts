import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { EMPTY, integer, type Parameter, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import { type AccessOrganization, type AccessUser, hasOrganizationGrant } from "../access/access-queries.ts";
import {
  EFFECTIVE_ROLE,
  isUserOf,
  isUserOfAnyDocument,
  matchesUser,
  type Resource,
} from "../access/effective-grant-queries.ts";
import { userPages } from "../purge/user-purge-queries.ts";
import type {
  CrossTenantScope,
  InTransaction,
  OrganizationScope,
  StoredOrganization,
} from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, fromOrganization } from "../tenancy/tenancy-queries.ts";

/** Number of former addresses that are kept of a user, the latest. */
const FORMER_EMAILS = 100;

/** Former addresses of a row of users whose record is about to change, with the present one. */
const WITH_PRESENT_EMAIL = sql`case when users.email is null or users.email = any(users.former_emails)
  then users.former_emails
  else (users.email || users.former_emails)[:${integer(FORMER_EMAILS)}] end`;

/** Writes users; overwrites those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeUsers(scope: OrganizationScope, users: { id: string; record: string }[]): Promise<void> {
  const ids = texts(users.map(({ id }) => id));
  const records = texts(users.map(({ record }) => record));
  await scope.run(
    sql`insert into users (organization_key, user_id, record, record_bytes)
      select organization_key, user_id, record::json, octet_length(record)
      ${fromOrganization(scope.key, sql`unnest(${ids}, ${records}) as input (user_id, record)`)}
      order by user_id collate "C"
      on conflict (organization_key, user_id) do update set
        record = excluded.record, record_bytes = excluded.record_bytes, written_at = excluded.written_at,
        former_emails = ${WITH_PRESENT_EMAIL}`,
  );
}

/** Replaces locked records. */
export async function replaceUserRecords(
  scope: OrganizationScope,
  users: { id: string; record: string }[],
): Promise<void> {
  const ids = texts(users.map(({ id }) => id));
  const records = texts(users.map(({ record }) => record));
  await scope.run(
    sql`update users set record = merged.record::json, record_bytes = octet_length(merged.record),
        former_emails = ${WITH_PRESENT_EMAIL}
      from unnest(${ids}, ${records}) as merged (user_id, record)
      where users.organization_key = ${uuid(scope.key)} and users.user_id = merged.user_id`,
  );
}

/** Inserts the users that do not exist and leaves the others unchanged. Writes rows in key order. */
export async function insertMissingUsers(scope: OrganizationScope, userIds: string[]): Promise<void> {
  const records = texts(userIds.map((userId) => JSON.stringify({ userId })));
  await scope.run(
    sql`insert into users (organization_key, user_id, record, record_bytes)
      select organization_key, user_id, record::json, octet_length(record)
      ${fromOrganization(scope.key, sql`unnest(${texts(userIds)}, ${records}) as input (user_id, record)`)}
      order by user_id collate "C"
      on conflict do nothing`,
  );
}

/** Returns the records, by id, of the users of the resource. Locks rows in key order. */
export function lockUserRecords(
  scope: InTransaction<OrganizationScope>,
  userIds: string[],
  resource: Resource,
): Promise<Map<string, string>> {
  return lockRecords(scope, userIds, matchesUser(uuid(scope.key), resource, sql`users`));
}

/** Returns the records of users by id, whatever grants they have. Locks rows in key order. */
export function lockAllUserRecords(
  scope: InTransaction<OrganizationScope>,
  userIds: string[],
): Promise<Map<string, string>> {
  return lockRecords(scope, userIds, sql`true`);
}

async function lockRecords(
  scope: InTransaction<OrganizationScope>,
  userIds: string[],
  condition: Sql,
): Promise<Map<string, string>> {
  const rows = await scope.run(
    sql<{ id: string; record: string }>`select user_id as id, record::text as record from users
      where organization_key = ${uuid(scope.key)} and user_id = any(${texts(userIds)}) and ${condition}
      order by user_id for update`,
  );
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Deletes locked users with their group memberships. */
export async function deleteUserRows(scope: OrganizationScope, userIds: string[]): Promise<void> {
  const isTheirs = sql`organization_key = ${uuid(scope.key)} and user_id = any(${texts(userIds)})`;
  await scope.run(
    sql`with membership as (delete from user_group_members where ${isTheirs}) delete from users where ${isTheirs}`,
  );
}

interface Filters {
  userIds?: string[] | undefined;
  organizationUserGroupIds?: string[] | undefined;
}

/** Expression for the JSON text of a user: the record as sent, with the role and, unless it was sent, the initial. */
const SERIALIZED = {
  expression: sql`left(record::text, -1) || coalesce(',"accessRole":"' || access_role || '"', '')
    || coalesce(',"initial":' || to_json(initial)::text, '') || '}'`,
  columns: ["access_role", "initial"],
};

/** Returns the join of the record of each listed user. The limit of one keeps the planner from joining whole tables. */
function joinRecords(organization: Parameter): Sql {
  return sql`cross join lateral (
    select record, record_bytes, initial from users
    where organization_key = ${organization} and user_id = listed.user_id limit 1
  ) as found`;
}

function matching(organization: Parameter, { userIds, organizationUserGroupIds: groupIds }: Filters): Sql {
  const isNamed = userIds ? sql`and listed.user_id = any(${texts(userIds)})` : EMPTY;
  if (!groupIds) return isNamed;
  return sql`${isNamed} and exists (select 1 from user_group_members member
    where member.organization_key = ${organization} and member.group_id = any(${texts(groupIds)})
      and member.user_id = listed.user_id)`;
}

export interface Page {
  pageSize: number;
  after: string[] | undefined;
}

/**
 * Reads one page of the matching users of an organization, folder or document by id. For a user, `readableBy`, it is
 * empty unless the user has a permission on the organization, and there are no groups. It reads the grants on it, or
 * the members of the only group, in their order and looks up each user.
 */
export function selectUsersPage(
  scope: AccessOrganization,
  resource: Resource,
  { readableBy, ...filters }: Filters & { readableBy?: AccessUser },
  page: Page,
): Promise<PageOfRecords<AccessBlock, string>> {
  const isReadable = readableBy ? hasOrganizationGrant({ organization: scope, user: readableBy }) : sql`true`;
  const organization = uuid(scope.key);
  const [groupId, ...others] = filters.organizationUserGroupIds ?? [];
  const isOnResource = isUserOf(organization, resource);
  const isOfGroup = groupId !== undefined && others.length === 0 && resource.type === "organization";
  const source = isOfGroup
    ? sql`from user_group_members listed ${joinRecords(organization)} cross join lateral (
        select ${EFFECTIVE_ROLE} as access_role from grants
        where ${isOnResource} and grants.user_id = listed.user_id limit 1
      ) as membership
      where listed.organization_key = ${organization} and listed.group_id = ${text(groupId)}
        ${matching(organization, { userIds: filters.userIds })}`
    : sql`from (select user_id, ${EFFECTIVE_ROLE} as access_role from grants where ${isOnResource}) as listed
      ${joinRecords(organization)} where ${isReadable} ${matching(organization, filters)}`;
  return selectPageOfRecords(scope, { source, keys: ["user_id"], ...usersPage(scope.key, page) });
}

/** Reads one page of the matching users of all documents by id, without their roles. */
export function selectDocumentUsersPage(
  scope: OrganizationScope,
  filters: Filters,
  page: Page,
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(scope.key);
  return selectPageOfRecords(scope, {
    source: sql`from (
        select distinct grants.user_id, null::text as access_role from grants
        where ${isUserOfAnyDocument(organization)}
      ) as listed ${joinRecords(organization)} where true ${matching(organization, filters)}`,
    keys: ["user_id"],
    ...usersPage(scope.key, page),
  });
}

/** Reads one page of the matching users of each document, as pairs of document id and user, by both ids. */
export function selectUsersByDocumentPage(
  scope: OrganizationScope,
  filters: Filters,
  page: Page,
): Promise<PageOfRecords<AccessBlock, string>> {
  const organization = uuid(scope.key);
  return selectPageOfRecords(scope, {
    source: sql`from (
        select document_id, user_id, ${EFFECTIVE_ROLE} as access_role from grants
        where ${isUserOfAnyDocument(organization)}
      ) as listed ${joinRecords(organization)} where true ${matching(organization, filters)}`,
    keys: ["document_id", "user_id"],
    ...usersPage(scope.key, page),
    serialized: {
      expression: sql`'[' || to_json(document_id)::text || ',' || ${SERIALIZED.expression} || ']'`,
      columns: SERIALIZED.columns,
    },
  });
}

function usersPage(organizationKey: OrganizationKey, page: Page) {
  return {
    ...page,
    serialized: SERIALIZED,
    keyType: "text",
    order: "asc",
    extra: buildAccessBlock(organizationKey),
  } as const;
}

/** Counts the users with a record who are users of the resource, or without it of any document. */
export async function countUsers(
  scope: OrganizationScope,
  resource: Resource | undefined,
  userId: string | undefined,
): Promise<{ count: number; block: AccessBlock | null }> {
  const organization = uuid(scope.key);
  const isListed = resource ? isUserOf(organization, resource) : isUserOfAnyDocument(organization);
  const [row] = await scope.run(
    sql<{ count: number; block: AccessBlock | null }>`select ${buildAccessBlock(scope.key)} as block, (
      select count(*) from users
      where organization_key = ${organization} ${userId === undefined ? EMPTY : sql`and user_id = ${text(userId)}`}
        and user_id in (select grants.user_id from grants where ${isListed})
    ) as count`,
  );
  return { count: row?.count ?? 0, block: row?.block ?? null };
}

/**
 * Reads one page of a user's records in all organizations of a workspace that are not being deleted, by organization.
 * The user is given by id or by an address in lower case. Costs one index look-up for each organization.
 */
export function selectWorkspaceUsersPage(
  scope: CrossTenantScope,
  workspaceId: string,
  user: { userId: string } | { email: string },
  page: { pageSize: number; after: string[] | undefined },
): Promise<PageOfRecords<null, string>> {
  const isUser = "userId" in user ? sql`users.user_id = ${text(user.userId)}` : sql`users.email = ${text(user.email)}`;
  return selectPageOfRecords(scope, {
    source: sql`from (
      select organization_id, user_id, found.record_bytes,
        '{"organizationId":' || to_json(organization_id)::text || ',"user":' || found.record::text || '}' as record
      from organizations cross join lateral (
        select user_id, users.record, users.record_bytes from users
        where users.organization_key = organizations.organization_key and ${isUser} offset 0
      ) as found
      where workspace_id = ${uuid(workspaceId)} and deleted_at is null
    ) as found where true`,
    keys: ["organization_id", "user_id"],
    keyType: "text",
    order: "asc",
    extra: sql`null`,
    ...page,
  });
}

/** Returns the former addresses of users. */
export async function selectFormerEmails(scope: StoredOrganization, userIds: string[]): Promise<string[]> {
  const rows = await scope.run(
    sql<{ email: string }>`select distinct unnest(former_emails) as email from users
      where organization_key = ${uuid(scope.key)} and user_id = any(${texts(userIds)})`,
  );
  return rows.map(({ email }) => email);
}

/** Reads the user's record. */
export const selectUserExportPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from users where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  keys: ["user_id"],
  keyType: "text",
});
