import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, identifier, type Sql, sql, text, uuid } from "../../database/sql.ts";
import {
  type AccessOrganization,
  type AccessScope,
  buildBoundedGrant,
  fromGrants,
  type GrantSource,
  hasExpiredTokenGrant,
  hasOrganizationGrant,
  isBoundedByToken,
  selectTokenGrants,
  storedGrants,
} from "./access-queries.ts";

/** Returns the expression for the access type that applies to a row `folder`. */
export function buildFolderType({ workspace }: AccessOrganization): Sql {
  return sql`coalesce(folder.effective_access_type, ${text(workspace.defaultDocumentAccessType)})`;
}

/**
 * Returns the expression for the IDs of the folders whose grants a row `folder` and its contents inherit, outermost
 * first. Grants above a folder whose type is `restricted` are not inherited.
 */
export function getInheritedFolders(type: Sql): Sql {
  return sql`folder.path[case when ${type} = 'restricted' then coalesce(folder.definer_depth, 1) else 1 end:]`;
}

/** Returns the condition that grants on the organization are inherited. */
export function inheritsFromOrganization(type: Sql): Sql {
  return sql`${type} <> 'restricted'`;
}

/** Returns the condition that a document may inherit the grants on its folders and the organization. */
export function mayInherit(document: Sql): Sql {
  return sql`${document}.access_type is distinct from 'restricted'`;
}

/** Returns the expression for the nearest grant that is inherited from `folder`, its ancestors or the organization. */
function findInherited({ folders, organization }: GrantSource, type: Sql): Sql {
  return sql`coalesce(
    case when ${folders} ?| folder.path then (
      select ${folders} -> step.folder_id
      from unnest(${getInheritedFolders(type)}) with ordinality as step (folder_id, depth)
      where ${folders} ? step.folder_id
      order by step.depth desc limit 1
    ) end,
    case when ${inheritsFromOrganization(type)} then ${organization} end)`;
}

/** Returns the expression for the grant of users without any: `editor` if the effective type is public. */
function buildPublicGrant(type: Sql): Sql {
  return sql`case when ${type} = 'public' then '{"accessRole":"editor"}'::jsonb end`;
}

/** Returns the expression for the grant by which the user has access to a row `folder`, or null. */
export function buildFolderAccess(scope: AccessScope, type: Sql): Sql {
  const otherwise = buildPublicGrant(type);
  if (isBoundedByToken(scope)) return buildBoundedGrant(scope, (source) => findInherited(source, type), { otherwise });
  return sql`coalesce(${findInherited(storedGrants(scope), type)}, ${otherwise})`;
}

/** Returns the FROM of the folder of a document, a row with `folder_id`. Its columns are null outside of any folder. */
function joinFolder(organizationKey: OrganizationKey, document: Sql): Sql {
  return sql`from (select 1 as one) as one left join folders folder
    on folder.organization_key = ${uuid(organizationKey)} and folder.folder_id = ${document}.folder_id`;
}

/**
 * Returns the expression for the effective access type of a document: its own type, else that of the nearest folder
 * that has one, else the default. `alias` names a row with `access_type` and `folder_id`.
 */
export function buildDocumentAccessType({ key, workspace }: AccessOrganization, alias: string): Sql {
  const document = identifier(alias);
  return sql`coalesce(${document}.access_type,
    (select folder.effective_access_type ${joinFolder(key, document)}), ${text(workspace.defaultDocumentAccessType)})`;
}

/**
 * Returns the expression for the grant by which the user has access to a document, or null: the decision table of
 * docs/permissions.md. `alias` names a row with `document_id`, `access_type`, `folder_id` and `disabled`. A page that
 * filters by it costs two look-ups in indexes for each document: its folder, and a grant on it. Without `isPublicOpen`,
 * public documents give nobody access who has no grant.
 */
export function buildDocumentAccess(scope: AccessScope, alias: string, { isPublicOpen = true } = {}): Sql {
  const document = identifier(alias);
  const type = sql`coalesce(${document}.access_type, ${buildFolderType(scope.organization)})`;
  const otherwise = isPublicOpen ? buildPublicGrant(type) : sql`null::jsonb`;
  const from = joinFolder(scope.organization.key, document);
  const find = (source: GrantSource, inherited: Sql) =>
    sql`coalesce(${source.onDocument(sql`${document}.document_id`)},
      case when ${mayInherit(document)} then ${inherited} end)`;
  const stored = storedGrants(scope);
  const grant = isBoundedByToken(scope)
    ? buildBoundedGrant(scope, (source) => find(source, findInherited(source, type)), { otherwise, from })
    : find(stored, sql`(select coalesce(${findInherited(stored, type)}, ${otherwise}) ${from})`);
  return sql`case when ${document}.disabled then null else ${grant} end`;
}

/** Returns the expression for the role of the user on a document; null denies access. */
export function buildDocumentRole(scope: AccessScope, alias: string): Sql {
  return sql`(${buildDocumentAccess(scope, alias)} ->> 'accessRole')`;
}

/**
 * Returns the condition that the user has any role on a document, by the same tables. It need not find the nearest of
 * the grants, nor any for a public document, unless a grant of the token has expired. (Measured with pages of 50: 1.3
 * times the page without the condition, instead of 2.0.) Takes rows as buildDocumentRole() does.
 */
export function isReadable(scope: AccessScope, alias: string): Sql {
  if (hasExpiredTokenGrant(scope)) return sql`(${buildDocumentAccess(scope, alias)}) is not null`;
  const document = identifier(alias);
  const id = sql`${document}.document_id`;
  const stored = storedGrants(scope).folders;
  const folders = isBoundedByToken(scope) ? sql`(select ${stored} || ${selectTokenGrants(scope, "folder")})` : stored;
  const isInToken = isBoundedByToken(scope) ? sql`${selectTokenGrants(scope, "document")} ? ${id} or` : EMPTY;
  return sql`not ${document}.disabled and (coalesce((
      select case coalesce(${document}.access_type, ${buildFolderType(scope.organization)})
        when 'public' then true
        when 'organizationPrivate' then ${hasOrganizationGrant(scope)} or ${folders} ?| folder.path
        else ${mayInherit(document)} and ${folders} ?| ${getInheritedFolders(sql`'restricted'`)} end
      ${joinFolder(scope.organization.key, document)}), false)
    or ${isInToken} exists (select ${fromGrants(scope, "document")} and grants.resource_id = ${id}))`;
}

/**
 * Returns the relation `document`, for a FROM: the columns of `asked`, a relation of that name with `document_id`, and
 * what decides about access. A document that does not exist has the access that it would have outside of any folder,
 * but a deleted one is closed until its records are purged, unless `staysOpen`. Only a document that does not exist
 * costs that look-up.
 */
export function documentRows(organizationKey: OrganizationKey, asked: Sql, staysOpen?: Sql): Sql {
  const isAwaitingPurge = sql`exists (select 1 as one from document_purges purge
    where purge.organization_key = ${uuid(organizationKey)} and purge.document_id = asked.document_id)`;
  const isClosed = staysOpen ? sql`not ${staysOpen} and ${isAwaitingPurge}` : isAwaitingPurge;
  return sql`(
      select asked.*, stored.access_type, stored.folder_id, stored.migration_id,
        stored.document_id is not null as is_stored, coalesce(stored.disabled, ${isClosed}) as disabled
      from ${asked} left join documents stored
        on stored.organization_key = ${uuid(organizationKey)} and stored.document_id = asked.document_id
    ) as document`;
}
