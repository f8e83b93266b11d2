import type { Grant, RESOURCE_TYPES } from "../../contract/end-user.ts";
import { type Parameter, type Sql, sql, text } from "../../database/sql.ts";

/** What grants are on in an organization. The `id` of the organization itself is ignored. */
export type GrantTarget = Pick<Grant, "type" | "id">;

/** A resource of an organization. */
export interface Resource extends GrantTarget {
  type: (typeof RESOURCE_TYPES)[number];
}

export const ORGANIZATION: Resource = { type: "organization", id: "" };

/** Condition that a row of `grants` gives its role now: it has one that has not expired. No other row gives access. */
export const IS_EFFECTIVE = sql`(grants.access_role is not null
  and (grants.expires_at is null or grants.expires_at > statement_timestamp()))`;

/** Condition that the user of a row of `grants` is one of the users of its resource, with or without a role. */
const IS_USER = sql`(grants.is_added or ${IS_EFFECTIVE})`;

/** Expression for the role that a row of `grants` gives now, or null. */
export const EFFECTIVE_ROLE = sql`case when ${IS_EFFECTIVE} then grants.access_role end`;

/** Returns the condition that a row of `grants` is an effective grant on the resource, which gives access. */
export function isGrantOn(organization: Parameter | Sql, resource: ResourceRow): Sql {
  return sql`${isOn(organization, resource)} and ${IS_EFFECTIVE}`;
}

/** Returns the condition that the user of a row of `grants` is one of the users of the resource. */
export function isUserOf(organization: Parameter | Sql, resource: ResourceRow): Sql {
  return sql`${isOn(organization, resource)} and ${IS_USER}`;
}

/** Resource in a statement. The ID may be an expression, such as a column. */
type ResourceRow = Pick<Resource, "type"> & { id: string | Sql };

/** Returns the condition that a row of `grants` is on the resource, by which an index finds its users. */
function isOn(organization: Parameter | Sql, { type, id }: ResourceRow): Sql {
  const resourceId = typeof id === "string" ? text(id) : id;
  const isOnResource = {
    organization: sql`grants.resource_type = 'organization' and grants.resource_id = ''`,
    folder: sql`grants.resource_type = 'folder' and grants.resource_id = ${resourceId}`,
    document: sql`grants.document_id <> '' and grants.document_id = ${resourceId}`,
  };
  return sql`grants.organization_key = ${organization} and ${isOnResource[type]}`;
}

/** Returns the condition that the user of a row of `grants` is one of any document, by which an index finds them. */
export function isUserOfAnyDocument(organization: Parameter | Sql): Sql {
  return sql`grants.organization_key = ${organization} and grants.document_id <> '' and ${IS_USER}`;
}

/** Returns the condition that the user of a row, given by its alias, is one of the users of the resource. */
export function matchesUser(organization: Parameter | Sql, resource: Resource, row: Sql): Sql {
  // "offset 0" has PostgreSQL look up each user by the key. With statistics of before many users came, it read all
  // grants for each (measured for 10,000 users: 7 s).
  return sql`exists (select 1 from grants
    where ${isUserOf(organization, resource)} and grants.user_id = ${row}.user_id offset 0)`;
}

/** Returns the ID under which a grant is stored. */
export function storedResourceId({ type, id }: GrantTarget): string {
  return type === "organization" ? ORGANIZATION.id : id;
}
