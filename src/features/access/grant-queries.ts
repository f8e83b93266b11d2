import type { Grant } from "../../contract/end-user.ts";
import { bigint, bigints, boolean, type Sql, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import { purgeAwaiting } from "../purge/overwriting-queries.ts";
import type { OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { fromOrganization } from "../tenancy/tenancy-queries.ts";
import { type GrantTarget, type Resource, storedResourceId } from "./effective-grant-queries.ts";
import { takeTokenNumber } from "./token-number-queries.ts";

interface NewGrant extends GrantTarget, Pick<Grant, "expiresAt"> {
  userId: string;
  /** Undefined keeps role and end of an existing grant. */
  accessRole: Grant["accessRole"] | undefined;
}

/** Grants that are overwritten, as the deletion of a user's data purges them. */
const OVERWRITTEN = {
  name: "grants",
  key: ["user_id", "resource_type", "resource_id"],
  time: { writtenAt: "written_at" },
  purgedWith: ["user"],
} as const;

/** Writes grants; replaces role and end of those that exist. */
export function writeGrants(
  scope: OrganizationScope,
  grants: readonly (NewGrant & Pick<Grant, "accessRole">)[],
): Promise<void> {
  return writeRows(scope, grants, { isAdded: false });
}

/** Adds users to a resource. Those who have a role there keep it, with its end, unless another one is given. */
export function addUsersTo(
  scope: OrganizationScope,
  resource: Resource,
  users: readonly Pick<NewGrant, "userId" | "accessRole">[],
): Promise<void> {
  return writeRows(
    scope,
    users.map((user) => ({ ...resource, ...user })),
    { isAdded: true },
  );
}

/** Writes rows in key order to avoid deadlocks. */
async function writeRows(
  scope: OrganizationScope,
  grants: readonly NewGrant[],
  { isAdded }: { isAdded: boolean },
): Promise<void> {
  await purgeAwaiting(
    scope,
    OVERWRITTEN,
    grants.map((grant) => [grant.userId, grant.type, storedResourceId(grant)]),
  );
  const rows = sql`unnest(${texts(grants.map(({ userId }) => userId))}, ${texts(grants.map(({ type }) => type))},
    ${texts(grants.map(storedResourceId))}, ${texts(grants.map(({ accessRole }) => accessRole ?? null))},
    ${bigints(grants.map(({ expiresAt }) => expiresAt ?? null))})
    as input (user_id, resource_type, resource_id, access_role, expires_at)`;
  await scope.run(
    sql`insert into grants (organization_key, user_id, resource_type, resource_id, access_role, expires_at, written_at,
        is_added)
      select organization_key, user_id, resource_type, resource_id, access_role,
        to_timestamp(expires_at::float8), ${NOW_MS}, ${boolean(isAdded)}
      ${fromOrganization(scope.key, rows)}
      order by user_id, resource_type, resource_id
      on conflict (organization_key, user_id, resource_type, resource_id) do update set
        access_role = coalesce(excluded.access_role, grants.access_role),
        expires_at = case when excluded.access_role is null then grants.expires_at else excluded.expires_at end,
        is_added = grants.is_added or excluded.is_added, written_at = excluded.written_at`,
  );
}

/** Makes a user an editor of an organization, unless there is a role on it, expired or not. Returns whether it did. */
export async function addMissingEditor(scope: OrganizationScope, userId: string): Promise<boolean> {
  const added = await scope.run(
    sql`insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
      values (${uuid(scope.key)}, ${text(userId)}, 'organization', '', 'editor', ${NOW_MS})
      on conflict (organization_key, user_id, resource_type, resource_id) do update set
        access_role = excluded.access_role, written_at = excluded.written_at
      where grants.access_role is null
      returning 1 as one`,
  );
  return added.length > 0;
}

/** Returns whether a user has a role on an organization, expired or not. */
export async function hasOrganizationRole(scope: OrganizationScope, userId: string): Promise<boolean> {
  const rows = await scope.run(
    sql<{ one: number }>`select 1 as one from grants where organization_key = ${uuid(scope.key)}
      and user_id = ${text(userId)} and resource_type = 'organization' and resource_id = ''
      and access_role is not null`,
  );
  return rows.length > 0;
}

/** Sets the roles of locked users of a resource. An end that has passed is removed, others stay. */
export async function setRoles(
  scope: OrganizationScope,
  resource: Resource,
  roles: readonly { userId: string; accessRole: Grant["accessRole"] }[],
): Promise<void> {
  if (roles.length === 0) return;
  // "offset 0" keeps the time a column: Citus accepts no function of it in CASE.
  await scope.run(
    sql`update grants set access_role = input.access_role,
        expires_at = case when grants.expires_at > input.now then grants.expires_at end
      from (
        select user_id, access_role, statement_timestamp() as now
        from unnest(${texts(roles.map(({ userId }) => userId))}, ${texts(roles.map(({ accessRole }) => accessRole))})
          as given (user_id, access_role) offset 0
      ) as input
      where grants.organization_key = ${uuid(scope.key)} and grants.user_id = input.user_id
        and grants.resource_type = ${text(resource.type)} and grants.resource_id = ${text(storedResourceId(resource))}`,
  );
}

/** Takes a user's roles on exactly these targets away. The user stays one of the users to which they were added. */
export async function revokeGrants(
  scope: OrganizationScope,
  userId: string,
  targets: readonly GrantTarget[],
): Promise<void> {
  const matches = sql`organization_key = ${uuid(scope.key)} and ${isGiven([userId], targets)}`;
  await scope.run(
    unprepared(
      sql`with found as (
        select resource_type, resource_id from grants where ${matches} order by resource_type, resource_id for update
      ), revoked as (
        update grants set access_role = null, expires_at = null
        where ${matches} and is_added and (resource_type, resource_id) in (select resource_type, resource_id from found)
      )
      delete from grants
      where ${matches} and not is_added
        and (resource_type, resource_id) in (select resource_type, resource_id from found)`,
    ),
  );
}

/** Removes users from a resource, with their roles on it. Returns those who were users of it. */
export function deleteGrants(
  scope: OrganizationScope,
  userIds: readonly string[],
  resource: Resource,
): Promise<string[]> {
  return deleteGrantRows(scope, isGiven(userIds, [resource]));
}

/** Returns the condition that a row is of one of the users, on exactly one of the targets. */
function isGiven(userIds: readonly string[], targets: readonly GrantTarget[]): Sql {
  const listed = sql`unnest(${texts(targets.map(({ type }) => type))}, ${texts(targets.map(storedResourceId))})`;
  return sql`user_id = any(${texts(userIds)})
    and (resource_type, resource_id) in (select type, id from ${listed} as listed (type, id))`;
}

/** Deletes all grants of the users. Returns the users of each. */
export function deleteUserGrants(scope: OrganizationScope, userIds: readonly string[]): Promise<string[]> {
  return deleteGrantRows(scope, sql`user_id = any(${texts(userIds)})`);
}

/**
 * Deletes all grants on folders or documents, also those in tokens. Tokens that are issued after the transaction count.
 */
export async function deleteGrantsOn(
  scope: OrganizationScope,
  type: "folder" | "document",
  ids: readonly string[],
): Promise<void> {
  const isListed = {
    document: sql`document_id <> '' and document_id = any(${texts(ids)})`,
    folder: sql`resource_type = 'folder' and resource_id = any(${texts(ids)})`,
  };
  await deleteGrantRows(scope, isListed[type]);
  await removeAllTokenGrants(scope, type, ids);
}

/** Deletes the grants that match, locked in key order to avoid deadlocks. Returns the user of each. */
async function deleteGrantRows(scope: OrganizationScope, condition: Sql): Promise<string[]> {
  const matches = sql`organization_key = ${uuid(scope.key)} and ${condition}`;
  const rows = await scope.run(
    unprepared(
      sql<{ id: string }>`with found as (
        select user_id, resource_type, resource_id from grants where ${matches}
        order by user_id, resource_type, resource_id for update
      ), deleted as (
        delete from grants where ${matches}
          and (user_id, resource_type, resource_id) in (select user_id, resource_type, resource_id from found)
      )
      select user_id as id from found`,
    ),
  );
  return rows.map(({ id }) => id);
}

/** User ID in removals that concern the tokens of all users, since it is not known who has a token. */
export const ALL_USERS = "";
/** Removal of every resource in an organization. */
export const ALL_RESOURCES = { type: "all", id: "" } as const;

interface TokenGrantRemoval {
  userIds: readonly string[];
  resources: readonly (GrantTarget | typeof ALL_RESOURCES)[];
}

/**
 * Ends the grants on the resources in all tokens that the users were issued until now. Writes rows in key order to
 * avoid deadlocks.
 */
export async function removeTokenGrants(
  scope: StoredOrganization,
  { userIds, resources }: TokenGrantRemoval,
): Promise<void> {
  const ids = resources.map((resource) => (resource.type === "all" ? resource.id : storedResourceId(resource)));
  const { number, now } = await takeTokenNumber(scope);
  // The key is a value: the removals of a purged organization, which has no row, must be written too.
  await scope.run(
    sql`insert into removed_token_grants as known (organization_key, user_id, resource_type, resource_id, number,
        removed_at)
      select ${uuid(scope.key)}, user_id, resource_type, resource_id, ${bigint(number)}, ${bigint(now)}
      from unnest(${texts([...new Set(userIds)])}) as user_id,
        unnest(${texts(resources.map(({ type }) => type))}, ${texts(ids)}) as input (resource_type, resource_id)
      order by user_id, resource_type, resource_id
      on conflict (organization_key, user_id, resource_type, resource_id) do update
      set number = greatest(known.number, excluded.number), removed_at = excluded.removed_at`,
  );
}

/** Ends the grants on folders or documents in all tokens that were issued until now, whoever has them. */
export async function removeAllTokenGrants(
  scope: StoredOrganization,
  type: "folder" | "document",
  ids: readonly string[],
): Promise<void> {
  const resources = ids.map((id) => ({ type, id }));
  await removeTokenGrants(scope, { userIds: [ALL_USERS], resources });
}
