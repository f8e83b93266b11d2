import type { TokenGrant } from "../../../contract/end-user.ts";
import { bigints, type Parameter, type Sql, sql, text, texts, unprepared, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { NOW_MS } from "../../../database/time.ts";

/** A resource of an organization. The `id` of the organization itself is ignored. */
export type Resource = Pick<TokenGrant, "type" | "id">;

export const ORGANIZATION: Resource = { type: "organization", id: "" };

interface NewGrant extends Resource, Pick<TokenGrant, "accessRole" | "expiresAt"> {
  userId: string;
}

/** Condition that a grant has not expired, for rows with the alias `held`. */
export const IS_UNEXPIRED = sql`(held.expires_at is null or held.expires_at > statement_timestamp())`;

/** Returns the condition that a row `held` is an unexpired grant on the resource, by which an index finds its users. */
export function isGrantOn(organization: Parameter | Sql, { type, id }: Resource): Sql {
  const isOnResource = {
    organization: sql`held.resource_type = 'organization' and held.resource_id = ''`,
    folder: sql`held.resource_type = 'folder' and held.resource_id = ${text(id)}`,
    document: sql`held.document_id <> '' and held.document_id = ${text(id)}`,
  };
  return sql`held.organization_key = ${organization} and ${isOnResource[type]} and ${IS_UNEXPIRED}`;
}

/** Returns the condition that the user of a row, given by its alias, has an unexpired grant on the resource. */
export function isUserOf(organization: Parameter | Sql, resource: Resource, row: Sql): Sql {
  return sql`exists (select 1 from grants held
    where ${isGrantOn(organization, resource)} and held.user_id = ${row}.user_id)`;
}

function storedId({ type, id }: Resource): string {
  return type === "organization" ? ORGANIZATION.id : id;
}

/** Writes grants; replaces role and end of those that exist. Writes rows in key order to avoid deadlocks. */
export async function writeGrants(
  transaction: Queryable,
  organizationKey: string,
  grants: readonly NewGrant[],
): Promise<void> {
  await transaction.run(
    sql`insert into grants (organization_key, user_id, resource_type, resource_id, access_role, expires_at, written_at)
      select ${uuid(organizationKey)}, user_id, resource_type, resource_id, access_role,
        to_timestamp(expires_at::float8), ${NOW_MS}
      from unnest(${texts(grants.map(({ userId }) => userId))}, ${texts(grants.map(({ type }) => type))},
        ${texts(grants.map(storedId))}, ${texts(grants.map(({ accessRole }) => accessRole))},
        ${bigints(grants.map(({ expiresAt }) => expiresAt ?? null))})
        as input (user_id, resource_type, resource_id, access_role, expires_at)
      order by user_id, resource_type, resource_id
      on conflict (organization_key, user_id, resource_type, resource_id) do update set
        access_role = excluded.access_role, expires_at = excluded.expires_at, written_at = excluded.written_at`,
  );
}

/** Sets the roles of users on a resource, on which locked users have grants. Their ends stay. */
export async function setRoles(
  transaction: Queryable,
  organizationKey: string,
  resource: Resource,
  roles: readonly { userId: string; accessRole: TokenGrant["accessRole"] }[],
): Promise<void> {
  if (roles.length === 0) return;
  await transaction.run(
    sql`update grants set access_role = input.access_role
      from unnest(${texts(roles.map(({ userId }) => userId))}, ${texts(roles.map(({ accessRole }) => accessRole))})
        as input (user_id, access_role)
      where grants.organization_key = ${uuid(organizationKey)} and grants.user_id = input.user_id
        and grants.resource_type = ${text(resource.type)} and grants.resource_id = ${text(storedId(resource))}`,
  );
}

/** Deletes the grants of the users on exactly these resources. Returns the users of each. */
export function deleteGrants(
  transaction: Queryable,
  organizationKey: string,
  userIds: readonly string[],
  resources: readonly Resource[],
): Promise<string[]> {
  const listed = sql`unnest(${texts(resources.map(({ type }) => type))}, ${texts(resources.map(storedId))})`;
  return deleteGrantRows(
    transaction,
    organizationKey,
    sql`user_id = any(${texts(userIds)}) and (resource_type, resource_id) in (select type, id from ${listed} as listed
      (type, id))`,
  );
}

/** Deletes all grants of the users. Returns the users of each. */
export function deleteGrantsOf(
  transaction: Queryable,
  organizationKey: string,
  userIds: readonly string[],
): Promise<string[]> {
  return deleteGrantRows(transaction, organizationKey, sql`user_id = any(${texts(userIds)})`);
}

/** Deletes all grants on folders or documents. */
export async function deleteGrantsOn(
  transaction: Queryable,
  organizationKey: string,
  type: "folder" | "document",
  ids: readonly string[],
): Promise<void> {
  const isListed = {
    document: sql`document_id <> '' and document_id = any(${texts(ids)})`,
    folder: sql`resource_type = 'folder' and resource_id = any(${texts(ids)})`,
  };
  await deleteGrantRows(transaction, organizationKey, isListed[type]);
}

/** Deletes the grants that match, locked in key order to avoid deadlocks. Returns the user of each. */
async function deleteGrantRows(transaction: Queryable, organizationKey: string, condition: Sql): Promise<string[]> {
  const matches = sql`organization_key = ${uuid(organizationKey)} and ${condition}`;
  const rows = await transaction.run(
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
