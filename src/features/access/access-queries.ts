import { ACCESS_ROLES, type EndUser, type Grant } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import { bigint, EMPTY, jsonb, type Parameter, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { IS_EFFECTIVE, ORGANIZATION } from "./effective-grant-queries.ts";
import { ALL_RESOURCES, ALL_USERS } from "./grant-queries.ts";

/** Grants in the user token of a request. Without a token, only the stored grants of a user count. */
export type TokenGrants =
  | Pick<EndUser, "grants" | "tokenNumber" | "issuedAfter">
  | { grants: readonly never[]; tokenNumber?: never; issuedAfter?: undefined };

/** An organization with the settings of its workspace that decide who may see what. */
export type AccessOrganization = OrganizationScope<
  Pick<Workspace, "id" | "defaultDocumentAccessType" | "isContextEnabled">
>;

/** For whom access is decided. The ID may be an expression, such as a column, for statements about many users. */
export type AccessUser = { userId: string | Sql } & TokenGrants;

/** For whom access is decided, and in which organization. */
export interface AccessScope {
  organization: AccessOrganization;
  user: AccessUser;
}

/** The grant that gives a user access: the nearest of those that count. That of a public resource has no end. */
export type EffectiveGrant = Pick<Grant, "accessRole" | "expiresAt">;

/** Expression for a stored grant as an EffectiveGrant. */
export const EFFECTIVE_GRANT = sql`jsonb_strip_nulls(jsonb_build_object(
  'accessRole', grants.access_role, 'expiresAt', floor(extract(epoch from grants.expires_at))::bigint))`;

/** Returns the user ID as a parameter or an expression. */
export function buildUserId({ user }: AccessScope): Sql | Parameter {
  return typeof user.userId === "string" ? text(user.userId) : user.userId;
}

/** Grants of the user from one origin, as expressions. */
export interface GrantSource {
  /** Grant on the organization. */
  organization: Sql;
  /** Grants on folders, as a JSON object by folder ID that is computed once for a statement. */
  folders: Sql;
  /** Returns the grant on a document. */
  onDocument(id: Sql): Sql;
}

/** Returns the FROM and WHERE of the user's effective stored grants on resources of a type. */
export function fromGrants(scope: AccessScope, type: Grant["type"]): Sql {
  return sql`from grants
    where grants.organization_key = ${uuid(scope.organization.key)} and grants.user_id = ${buildUserId(scope)}
      and grants.resource_type = ${text(type)} and ${IS_EFFECTIVE}`;
}

/** Returns the effective stored grants of the user. */
export function storedGrants(scope: AccessScope): GrantSource {
  const find = (type: Grant["type"], id: Sql) =>
    sql`(select ${EFFECTIVE_GRANT} ${fromGrants(scope, type)} and grants.resource_id = ${id})`;
  return {
    organization: find("organization", sql`''`),
    folders: sql`(select coalesce(jsonb_object_agg(grants.resource_id, ${EFFECTIVE_GRANT}), '{}')
      ${fromGrants(scope, "folder")})`,
    onDocument: (id) => find("document", id),
  };
}

/** Returns the grants of the token, of which those that have expired are JSON null. */
function tokenGrants(scope: AccessScope): GrantSource {
  return {
    organization: sql`(${selectTokenGrants(scope, "organization")} -> '')`,
    folders: selectTokenGrants(scope, "folder"),
    onDocument: (id) => sql`(${selectTokenGrants(scope, "document")} -> ${id})`,
  };
}

/**
 * Returns the grants of the token on resources of a type in the organization, as a JSON object by resource ID. Those
 * that have expired are null, and those that were removed since the token was issued are missing.
 */
export function selectTokenGrants(scope: AccessScope, type: Grant["type"]): Sql {
  const { organization, user } = scope;
  const entries = getTokenGrants(scope)
    .filter((grant) => grant.type === type)
    .map((grant): [string, EffectiveGrant | null] => {
      const { accessRole, expiresAt } = grant;
      const effective = { accessRole, ...(expiresAt !== undefined && { expiresAt }) };
      return [type === "organization" ? ORGANIZATION.id : grant.id, isExpired(grant) ? null : effective];
    });
  const grants = jsonb(JSON.stringify(Object.fromEntries(entries)));
  if (user.tokenNumber === undefined) return sql`${grants}`;
  const isRemovedSince =
    user.issuedAfter === undefined
      ? sql`removed.number >= ${bigint(user.tokenNumber)}`
      : sql`removed.removed_at >= ${bigint(user.issuedAfter)}`;
  return sql`(select case when bool_or(removed.resource_type = 'all') then '{}'::jsonb
      else ${grants} - coalesce(array_agg(removed.resource_id), '{}') end
    from removed_token_grants removed
    where removed.organization_key = ${uuid(organization.key)}
      and removed.user_id in (${text(ALL_USERS)}, ${buildUserId(scope)})
      and removed.resource_type = any(${texts([type, ALL_RESOURCES.type])})
      and removed.resource_id = any(${texts([ALL_RESOURCES.id, ...entries.map(([id]) => id)])})
      and ${isRemovedSince})`;
}

function getTokenGrants({ organization, user }: AccessScope): Grant[] {
  return user.grants.filter(({ organizationId }) => organizationId === organization.organizationId);
}

function isExpired({ expiresAt = Number.POSITIVE_INFINITY }: Grant): boolean {
  return expiresAt <= Date.now() / 1000;
}

/** Returns whether the token has grants on resources of the organization, which bound the stored ones. */
export function isBoundedByToken(scope: AccessScope): boolean {
  return getTokenGrants(scope).some(({ type }) => type !== "context");
}

/** Returns whether a grant of the token has expired. The user may then not read even what is public. */
export function hasExpiredTokenGrant(scope: AccessScope): boolean {
  return getTokenGrants(scope).some((grant) => grant.type !== "context" && isExpired(grant));
}

/**
 * Returns the expression for the lower of the grants that `find` returns for the token and the stored grants, with the
 * earlier end, or for `otherwise` if there is neither (second table of docs/permissions.md). `from` joins their tables.
 */
export function buildBoundedGrant(
  scope: AccessScope,
  find: (source: GrantSource) => Sql,
  { otherwise = sql`null::jsonb`, from = EMPTY } = {},
): Sql {
  const rank = (grant: Sql) => sql`array_position(roles, ${grant} ->> 'accessRole')`;
  const [token, stored] = [sql`nearest.token`, sql`nearest.stored`];
  // "offset 0" has PostgreSQL compute each grant once.
  return sql`(select case
      when ${token} is null then coalesce(${stored}, nearest.otherwise)
      when ${token} = 'null' then null
      when ${stored} is null then ${token}
      else jsonb_strip_nulls(jsonb_build_object('accessRole', roles[least(${rank(token)}, ${rank(stored)})],
        'expiresAt', least((${token} ->> 'expiresAt')::bigint, (${stored} ->> 'expiresAt')::bigint))) end
    from (
      select ${find(tokenGrants(scope))} as token, ${find(storedGrants(scope))} as stored,
        ${otherwise} as otherwise, ${texts(ACCESS_ROLES)} as roles ${from} offset 0
    ) as nearest)`;
}

/** Returns the expression for the user's grant on the organization. */
export function organizationGrant(scope: AccessScope): Sql {
  if (!isBoundedByToken(scope)) return storedGrants(scope).organization;
  return buildBoundedGrant(scope, ({ organization }) => organization);
}

/** Returns the condition that the user has any grant on the organization, which is cheaper than the grant. */
export function hasOrganizationGrant(scope: AccessScope): Sql {
  const isStored = sql`exists (select 1 ${fromGrants(scope, "organization")} and grants.resource_id = '')`;
  if (!getTokenGrants(scope).some(({ type }) => type === "organization")) return isStored;
  return sql`coalesce(${tokenGrants(scope).organization} <> 'null', ${isStored})`;
}

/**
 * Returns a subquery, computed once for a statement: the pairs that the user holds as a JSON array of texts. A pair
 * that has expired in the token is not held.
 */
export function buildUserPairs(scope: AccessScope): Sql {
  const stored = sql`select grants.resource_id as pair ${fromGrants(scope, "context")}`;
  if (!getTokenGrants(scope).some(({ type }) => type === "context")) {
    return sql`(select coalesce(jsonb_agg(pair), '[]') from (${stored}) as held)`;
  }
  const granted = selectTokenGrants(scope, "context");
  return sql`(select coalesce(jsonb_agg(pair), '[]')
    from (${stored} union all select jsonb_object_keys(${granted})) as held
    where ${granted} -> pair is distinct from 'null')`;
}
