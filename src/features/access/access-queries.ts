import type { AccessType } from "../../contract/access-type.ts";
import type { EndUser, Grant } from "../../contract/end-user.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { OrganizationKey } from "../../database/keys.ts";
import {
  bigint,
  identifier,
  jsonb,
  oneRow,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  uuid,
} from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock, buildDocumentBlock } from "../tenancy/tenancy-queries.ts";
import { ALL_RESOURCES, ALL_USERS, IS_UNEXPIRED, ORGANIZATION } from "./grant-queries.ts";

/** Grants in the user token of a request. Without a token, only the stored grants of a user count. */
export type TokenGrants = Pick<EndUser, "grants" | "tokenNumber"> | { grants: readonly never[]; tokenNumber?: never };

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

interface ResourceAccess {
  accessType: AccessType;
  /** Null if access is denied. */
  grant: EffectiveGrant | null;
}

interface DocumentAccess extends ResourceAccess {
  exists: boolean;
  /** Why nobody has access, if the document is disabled or being migrated. */
  block: AccessBlock | null;
}

/** What a user may do with the resources that were asked for. */
export interface Access {
  block: AccessBlock | null;
  /** Whether the organization exists. */
  isOrganization: boolean;
  /** Grant on the organization itself. */
  organization: EffectiveGrant | null;
  /** Folders by id. A missing one does not exist. */
  folders: ReadonlyMap<string, ResourceAccess>;
  /** Documents by id, also those that do not exist. */
  documents: ReadonlyMap<string, DocumentAccess>;
}

/** Expression for a stored grant as an EffectiveGrant. */
export const EFFECTIVE_GRANT = sql`jsonb_strip_nulls(jsonb_build_object(
  'accessRole', grants.access_role, 'expiresAt', floor(extract(epoch from grants.expires_at))::bigint))`;

/** Returns the user ID as a parameter or an expression. */
export function buildUserId({ user }: AccessScope): Sql | Parameter {
  return typeof user.userId === "string" ? text(user.userId) : user.userId;
}

/** Returns the unexpired stored grants of the user on resources of a type. */
function fromGrants(scope: AccessScope, type: Grant["type"]): Sql {
  return sql`from grants
    where grants.organization_key = ${uuid(scope.organization.key)} and grants.user_id = ${buildUserId(scope)}
      and grants.resource_type = ${text(type)} and ${IS_UNEXPIRED}`;
}

/**
 * Returns the unexpired token grants on resources of a type in the organization, as a JSON object by resource ID. Those
 * that were removed since the token was issued do not count.
 */
function tokenGrants(scope: AccessScope, type: Grant["type"]): Sql {
  const { organization, user } = scope;
  const now = Date.now() / 1000;
  const entries = user.grants.flatMap((grant): [string, EffectiveGrant][] => {
    const { accessRole, expiresAt = Number.POSITIVE_INFINITY } = grant;
    if (grant.organizationId !== organization.organizationId || grant.type !== type || expiresAt <= now) return [];
    const end = grant.expiresAt === undefined ? {} : { expiresAt: grant.expiresAt };
    return [[type === "organization" ? ORGANIZATION.id : grant.id, { accessRole, ...end }]];
  });
  const grants = jsonb(JSON.stringify(Object.fromEntries(entries)));
  if (user.tokenNumber === undefined) return sql`${grants}`;
  return sql`(select case when bool_or(removed.resource_type = 'all') then '{}'::jsonb
      else ${grants} - coalesce(array_agg(removed.resource_id), '{}') end
    from removed_token_grants removed
    where removed.organization_key = ${uuid(organization.key)}
      and removed.user_id in (${text(ALL_USERS)}, ${buildUserId(scope)})
      and removed.resource_type = any(${texts([type, ALL_RESOURCES.type])})
      and removed.resource_id = any(${texts([ALL_RESOURCES.id, ...entries.map(([id]) => id)])})
      and removed.number >= ${bigint(user.tokenNumber)})`;
}

/** Returns the expression for the user's grant on a resource. A stored grant takes precedence over a token grant. */
function buildGrant(scope: AccessScope, type: Grant["type"], id: Sql): Sql {
  return sql`coalesce((select ${EFFECTIVE_GRANT} ${fromGrants(scope, type)} and grants.resource_id = ${id}),
    ${tokenGrants(scope, type)} -> ${id})`;
}

/** Returns the expression for the user's grant on the organization. */
export function organizationGrant(scope: AccessScope): Sql {
  return buildGrant(scope, "organization", sql`''`);
}

/** Returns a subquery, computed once for a statement: the pairs that the user holds as a JSON array of texts. */
export function buildUserPairs(scope: AccessScope): Sql {
  return sql`(select coalesce(jsonb_agg(grants.resource_id), '[]') || coalesce((
        select jsonb_agg(pair) from jsonb_object_keys(${tokenGrants(scope, "context")}) as pair
      ), '[]')
    ${fromGrants(scope, "context")})`;
}

/** Returns a subquery, computed once for a statement: the user's grants on folders as a JSON object by folder ID. */
function folderGrants(scope: AccessScope): Sql {
  const stored = sql`jsonb_object_agg(grants.resource_id, ${EFFECTIVE_GRANT})`;
  return sql`(select ${tokenGrants(scope, "folder")} || coalesce(${stored}, '{}')
    ${fromGrants(scope, "folder")})`;
}

/** Returns the expression for the access type that applies to a row `folder`. */
export function buildFolderType({ workspace }: AccessOrganization): Sql {
  return sql`coalesce(folder.effective_access_type, ${text(workspace.defaultDocumentAccessType)})`;
}

/**
 * Returns the expression for the IDs of the folders on which grants count, outermost first, for a row `folder` or what
 * is in it: those above the one whose type is `restricted` do not.
 */
export function countingFolders(type: Sql): Sql {
  return sql`folder.path[case when ${type} = 'restricted' then coalesce(folder.definer_depth, 1) else 1 end:]`;
}

/** Returns the condition that grants on the organization count. */
export function isOrganizationCounting(type: Sql): Sql {
  return sql`${type} <> 'restricted'`;
}

/** Returns the condition that grants on anything but the document may count. */
export function isOpenFromOutside(document: Sql): Sql {
  return sql`${document}.access_type is distinct from 'restricted'`;
}

/**
 * Returns the expression for the nearest of the grants that count on `folder`, its ancestors and the organization, or
 * `editor` if the effective type is public.
 */
function buildFolderAccess(scope: AccessScope, type: Sql): Sql {
  const grants = folderGrants(scope);
  return sql`coalesce(
    case when ${grants} ?| folder.path then (
      select ${grants} -> step.folder_id
      from unnest(${countingFolders(type)}) with ordinality as step (folder_id, depth)
      where ${grants} ? step.folder_id
      order by step.depth desc limit 1
    ) end,
    case when ${isOrganizationCounting(type)} then ${organizationGrant(scope)} end,
    case when ${type} = 'public' then '{"accessRole":"editor"}'::jsonb end)`;
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
 * filters by it costs two look-ups in indexes for each document: its folder, and a grant on it.
 */
function buildDocumentAccess(scope: AccessScope, alias: string): Sql {
  const document = identifier(alias);
  const type = sql`coalesce(${document}.access_type, ${buildFolderType(scope.organization)})`;
  return sql`case when ${document}.disabled then null else coalesce(
    ${buildGrant(scope, "document", sql`${document}.document_id`)},
    case when ${isOpenFromOutside(document)} then (
      select ${buildFolderAccess(scope, type)} ${joinFolder(scope.organization.key, document)}
    ) end) end`;
}

/** Returns the expression for the role of the user on a document; null denies access. */
export function buildDocumentRole(scope: AccessScope, alias: string): Sql {
  return sql`(${buildDocumentAccess(scope, alias)} ->> 'accessRole')`;
}

/**
 * Returns the condition that the user has any role on a document, by the same table. It need not find the
 * nearest of the grants, nor any for a public document. (Measured with pages of 50: 1.3 times the page without the
 * condition, instead of 2.0.) Takes rows as buildDocumentRole() does.
 */
export function isReadable(scope: AccessScope, alias: string): Sql {
  const document = identifier(alias);
  const grants = folderGrants(scope);
  const id = sql`${document}.document_id`;
  return sql`not ${document}.disabled and (coalesce((
      select case coalesce(${document}.access_type, ${buildFolderType(scope.organization)})
        when 'public' then true
        when 'organizationPrivate' then ${organizationGrant(scope)} is not null or ${grants} ?| folder.path
        else ${isOpenFromOutside(document)} and ${grants} ?| ${countingFolders(sql`'restricted'`)} end
      ${joinFolder(scope.organization.key, document)}), false)
    or ${tokenGrants(scope, "document")} ? ${id}
    or exists (select ${fromGrants(scope, "document")} and grants.resource_id = ${id}))`;
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

interface AccessRow extends Pick<Access, "block" | "isOrganization" | "organization"> {
  folders: Record<string, ResourceAccess>;
  documents: Record<string, DocumentAccess>;
}

/** Decides what the user may do with the organization, and with these folders and documents, in one statement. */
export async function selectAccess(
  organization: AccessOrganization,
  user: AccessUser,
  { folderIds = [], documentIds = [] }: Partial<Record<"folderIds" | "documentIds", readonly string[] | undefined>>,
): Promise<Access> {
  const scope = { organization, user };
  const key = uuid(organization.key);
  const type = buildFolderType(organization);
  const { folders, documents, ...access } = await organization.run(
    oneRow(sql<AccessRow>`select ${buildAccessBlock(organization.key)} as block,
      exists (select 1 from organizations where organization_key = ${key}) as "isOrganization",
      ${organizationGrant(scope)} as organization,
      (select coalesce(jsonb_object_agg(folder.folder_id, jsonb_build_object(
          'accessType', ${type}, 'grant', ${buildFolderAccess(scope, type)})), '{}')
        from folders folder
        where folder.organization_key = ${key} and folder.folder_id = any(${texts(folderIds)})) as folders,
      (select coalesce(jsonb_object_agg(document.document_id, jsonb_build_object(
          'exists', document.is_stored,
          'block', case when document.is_stored then ${buildDocumentBlock("document")} end,
          'accessType', ${buildDocumentAccessType(organization, "document")},
          'grant', ${buildDocumentAccess(scope, "document")})), '{}')
        from ${documentRows(organization.key, sql`unnest(${texts(documentIds)}) as asked (document_id)`)}
      ) as documents`),
  );
  return { ...access, folders: new Map(Object.entries(folders)), documents: new Map(Object.entries(documents)) };
}
