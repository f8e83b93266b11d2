import type { Grant, RESOURCE_TYPES } from "../../contract/end-user.ts";
import { bigint, bigints, type Parameter, type Sql, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import { NOW_MS } from "../../database/time.ts";
import type { OrganizationScope, StoredOrganization } from "../tenancy/organization-scope.ts";
import { fromOrganization } from "../tenancy/tenancy-queries.ts";
import { takeTokenNumber } from "./token-number-queries.ts";

/** What grants are on in an organization. The `id` of the organization itself is ignored. */
export type GrantTarget = Pick<Grant, "type" | "id">;

/** A resource of an organization. */
export interface Resource extends GrantTarget {
  type: (typeof RESOURCE_TYPES)[number];
}

export const ORGANIZATION: Resource = { type: "organization", id: "" };

interface NewGrant extends GrantTarget, Pick<Grant, "accessRole" | "expiresAt"> {
  userId: string;
}

/** Condition that a grant has not expired, for rows of `grants`. */
export const IS_UNEXPIRED = sql`(grants.expires_at is null or grants.expires_at > statement_timestamp())`;

/**
 * Returns the condition that a row of `grants` is an unexpired grant on the resource, by which an index finds its
 * users. The ID may be an expression, such as a column.
 */
export function isGrantOn(
  organization: Parameter | Sql,
  { type, id }: Pick<Resource, "type"> & { id: string | Sql },
): Sql {
  const resourceId = typeof id === "string" ? text(id) : id;
  const isOnResource = {
    organization: sql`grants.resource_type = 'organization' and grants.resource_id = ''`,
    folder: sql`grants.resource_type = 'folder' and grants.resource_id = ${resourceId}`,
    document: sql`grants.document_id <> '' and grants.document_id = ${resourceId}`,
  };
  return sql`grants.organization_key = ${organization} and ${isOnResource[type]} and ${IS_UNEXPIRED}`;
}

/** Returns the condition that a row of `grants` is an unexpired grant on any document, by which an index finds them. */
export function isGrantOnAnyDocument(organization: Parameter | Sql): Sql {
  return sql`grants.organization_key = ${organization} and grants.document_id <> '' and ${IS_UNEXPIRED}`;
}

/** Returns the condition that the user of a row, given by its alias, has an unexpired grant on the resource. */
export function matchesUser(organization: Parameter | Sql, resource: Resource, row: Sql): Sql {
  // "offset 0" has PostgreSQL look up each user by the key. With statistics of before many users came, it read all
  // grants for each (measured for 10,000 users: 7 s).
  return sql`exists (select 1 from grants
    where ${isGrantOn(organization, resource)} and grants.user_id = ${row}.user_id offset 0)`;
}

/** Returns the ID under which a grant is stored. */
function storedResourceId({ type, id }: GrantTarget): string {
  return type === "organization" ? ORGANIZATION.id : id;
}

/** Writes grants; replaces role and end of those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeGrants(scope: OrganizationScope, grants: readonly NewGrant[]): Promise<void> {
  const rows = sql`unnest(${texts(grants.map(({ userId }) => userId))}, ${texts(grants.map(({ type }) => type))},
    ${texts(grants.map(storedResourceId))}, ${texts(grants.map(({ accessRole }) => accessRole))},
    ${bigints(grants.map(({ expiresAt }) => expiresAt ?? null))})
    as input (user_id, resource_type, resource_id, access_role, expires_at)`;
  await scope.run(
    sql`insert into grants (organization_key, user_id, resource_type, resource_id, access_role, expires_at, written_at)
      select organization_key, user_id, resource_type, resource_id, access_role,
        to_timestamp(expires_at::float8), ${NOW_MS}
      ${fromOrganization(scope.key, rows)}
      order by user_id, resource_type, resource_id
      on conflict (organization_key, user_id, resource_type, resource_id) do update set
        access_role = excluded.access_role, expires_at = excluded.expires_at, written_at = excluded.written_at`,
  );
}

/** Makes a user an editor of an organization, unless there is a grant on it, expired or not. Returns whether it did. */
export async function addMissingEditor(scope: OrganizationScope, userId: string): Promise<boolean> {
  const added = await scope.run(
    sql`insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
      values (${uuid(scope.key)}, ${text(userId)}, 'organization', '', 'editor', ${NOW_MS})
      on conflict (organization_key, user_id, resource_type, resource_id) do nothing
      returning 1 as one`,
  );
  return added.length > 0;
}

/** Returns whether a user has a grant on an organization, expired or not. */
export async function hasOrganizationGrant(scope: OrganizationScope, userId: string): Promise<boolean> {
  const rows = await scope.run(
    sql<{ one: number }>`select 1 as one from grants where organization_key = ${uuid(scope.key)}
      and user_id = ${text(userId)} and resource_type = 'organization' and resource_id = ''`,
  );
  return rows.length > 0;
}

/** Sets the roles of users on a resource, on which locked users have grants. Their ends stay. */
export async function setRoles(
  scope: OrganizationScope,
  resource: Resource,
  roles: readonly { userId: string; accessRole: Grant["accessRole"] }[],
): Promise<void> {
  if (roles.length === 0) return;
  await scope.run(
    sql`update grants set access_role = input.access_role
      from unnest(${texts(roles.map(({ userId }) => userId))}, ${texts(roles.map(({ accessRole }) => accessRole))})
        as input (user_id, access_role)
      where grants.organization_key = ${uuid(scope.key)} and grants.user_id = input.user_id
        and grants.resource_type = ${text(resource.type)} and grants.resource_id = ${text(storedResourceId(resource))}`,
  );
}

/** Deletes the grants of the users on exactly these targets. Returns the users of each. */
export function deleteGrants(
  scope: OrganizationScope,
  userIds: readonly string[],
  targets: readonly GrantTarget[],
): Promise<string[]> {
  const listed = sql`unnest(${texts(targets.map(({ type }) => type))}, ${texts(targets.map(storedResourceId))})`;
  return deleteGrantRows(
    scope,
    sql`user_id = any(${texts(userIds)}) and (resource_type, resource_id) in (select type, id from ${listed} as listed
      (type, id))`,
  );
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
