import type { AccessType } from "../../../contract/access-type.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { EMPTY, integer, type Sql, sql, text, uuid } from "../../../database/sql.ts";
import { type AccessOrganization, type AccessUser, EFFECTIVE_GRANT } from "../../access/access-queries.ts";
import {
  buildDocumentAccess,
  buildFolderType,
  getInheritedFolders,
  inheritsFromOrganization,
  mayInherit,
} from "../../access/document-access-queries.ts";
import { isGrantOn, ORGANIZATION, type Resource } from "../../access/effective-grant-queries.ts";
import { MAX_DEPTH } from "../../documents/folders/folder.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";

/** A folder or document with what decides who has access to it. */
export interface ExplainedResource {
  accessType: AccessType;
  /** The folder or document whose own type applies; null if it is the default of the workspace. */
  definer: { type: "folder" | "document"; id: string } | null;
  /** Whether nobody has access, since the document or the organization is disabled. */
  isClosed: boolean;
  organizationRecord: { organizationName?: string } | null;
  documentRecord: { documentName?: string } | null;
  /** Records of the folder and its ancestors, or of those of the document, by ID. */
  folderRecords: [folderId: string, record: { folderName?: string }][];
}

interface Extra {
  block: AccessBlock | null;
  /** Null if it does not exist. */
  resource: ExplainedResource | null;
}

interface Page {
  pageSize: number;
  after: string[] | undefined;
  /** The user who reads those of a document. The page is empty unless a grant gives the user access. */
  readableBy?: AccessUser;
}

/** Returns the FROM of a folder or document: rows `document` and `folder`, one of which is null if it has none. */
function fromResource({ key }: AccessOrganization, { type, id }: Resource): Sql {
  const organization = uuid(key);
  const document =
    type === "document"
      ? sql`select document_id, access_type, disabled, folder_id, record from documents
          where organization_key = ${organization} and document_id = ${text(id)}`
      : sql`select null::text as document_id, null::text as access_type, false as disabled, ${text(id)} as folder_id,
          null::json as record`;
  return sql`from (${document}) as document
    left join folders folder on folder.organization_key = ${organization} and folder.folder_id = document.folder_id
    where (document.document_id is not null or folder.folder_id is not null)`;
}

/**
 * Reads one page of the users with a grant that counts on the folder or document, by ID, each with the nearest of these
 * grants. The first grants of each resource are read from indexes in the order of users, and are merged, so a page
 * costs the same at any number of grants.
 */
export function selectPermittedUserPage(
  scope: AccessOrganization,
  resource: Resource,
  { pageSize, after, readableBy }: Page,
): Promise<PageOfRecords<Extra, string>> {
  const organization = uuid(scope.key);
  const block = buildAccessBlock(scope.key);
  const type = sql`coalesce(document.access_type, ${buildFolderType(scope)})`;
  const isClosed = sql`(document.disabled or ${block} is not null)`;
  const afterUser = after ? sql`and grants.user_id > ${text(after[0])}` : EMPTY;
  const findAccess = (user: AccessUser) =>
    buildDocumentAccess({ organization: scope, user }, "document", { isPublicOpen: false });
  const isReadable = readableBy ? sql`(${findAccess(readableBy)}) is not null` : sql`true`;
  const grantsOn = (level: Resource["type"], id: string | Sql) => sql`cross join lateral (
    select grants.user_id, ${EFFECTIVE_GRANT} as effective_grant from grants
    where ${isGrantOn(organization, { type: level, id })} ${afterUser}
    order by grants.user_id limit ${integer(pageSize + 1)}
  ) as granted`;
  const source = sql`from (
    with resource as (
      select document.document_id, ${inheritsFromOrganization(type)} as inherits_from_organization,
        case when ${mayInherit(sql`document`)} then ${getInheritedFolders(type)} end as folder_ids
      ${fromResource(scope, resource)} and not ${isClosed} and ${isReadable}
    )
    select distinct on (user_id) user_id, type, id, effective_grant from (
      select 'organization' as type, '' as id, 0 as depth, granted.*
      from resource ${grantsOn("organization", ORGANIZATION.id)} where inherits_from_organization
      union all
      select 'folder', step.folder_id, step.depth, granted.*
      from resource cross join lateral unnest(folder_ids) with ordinality as step (folder_id, depth)
        ${grantsOn("folder", sql`step.folder_id`)}
      union all
      select 'document', document_id, ${integer(MAX_DEPTH + 1)}, granted.*
      from resource ${grantsOn("document", sql`resource.document_id`)}
    ) as inheritance
    order by user_id, depth desc limit ${integer(pageSize + 1)}
  ) as nearest
  left join lateral (
    select record as user_record, record_bytes as user_bytes from users
    where organization_key = ${organization} and users.user_id = nearest.user_id limit 1
  ) as found on true
  cross join lateral (
    select json_build_object('userId', user_id, 'type', type, 'id', id, 'grant', effective_grant,
        'record', user_record) as record,
      coalesce(user_bytes, 0) as record_bytes
  ) as serialized
  where true`;
  return selectPageOfRecords(scope, {
    source,
    keys: ["user_id"],
    keyType: "text",
    order: "asc",
    after,
    pageSize,
    extra: sql`json_build_object('block', ${block}, 'resource', (
      select json_build_object('accessType', ${type}, 'isClosed', ${isClosed},
        'definer', case
          when document.access_type is not null then json_build_object('type', 'document', 'id', document.document_id)
          when folder.definer_depth is not null
            then json_build_object('type', 'folder', 'id', folder.path[folder.definer_depth]) end,
        'organizationRecord', (select record from organizations where organization_key = ${organization}),
        'documentRecord', document.record,
        'folderRecords', (
          select coalesce(json_agg(json_build_array(above.folder_id, above.record)), '[]') from folders above
          where above.organization_key = ${organization} and above.folder_id = any(folder.path)
        ))
      ${fromResource(scope, resource)}))`,
  });
}
