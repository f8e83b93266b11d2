import type { AccessType } from "../../../contract/access-type.ts";
import type { OrganizationKey } from "../../../database/keys.ts";
import { boolean, EMPTY, integer, integers, join, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import { milliseconds } from "../../../database/time.ts";
import { deleteGrantsOn } from "../../access/grant-queries.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";

/** The place of a folder in the tree, and the access type that applies there. */
export interface FolderPlace {
  /** IDs of its ancestors and itself, outermost first. */
  path: string[];
  /** Null if it is the default of the workspace. */
  effectiveType: AccessType | null;
  /** Depth of the folder whose own type it is, from 1. */
  definerDepth: number | null;
}

export interface NewFolderRow extends FolderPlace {
  id: string;
  /** JSON text with the field `folderName`. */
  record: string;
  parentId: string | null;
  /** Its own type; null if it inherits. */
  ownType: AccessType | null;
}

export interface FolderRow {
  id: string;
  record: { folderName: string };
  parentId: string | null;
  path: string[];
  ownType: AccessType | null;
  effectiveType: AccessType | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

const PLACE = sql`path, effective_access_type as "effectiveType", definer_depth as "definerDepth"`;

/**
 * Locks the shape of the tree of folders until the end of the transaction, by the row of the organization: concurrent
 * moves could make a cycle. Nothing is locked if the organization does not exist.
 */
export async function lockFolderTree(scope: InTransaction<OrganizationScope>): Promise<void> {
  await scope.run(
    sql`select 1 as one from organizations where organization_key = ${uuid(scope.key)} for no key update`,
  );
}

/** Returns the places of folders by id. */
export async function selectFolderPlaces(
  scope: OrganizationScope,
  folderIds: string[],
): Promise<Map<string, FolderPlace>> {
  const rows = await scope.run(
    sql<FolderPlace & { id: string }>`select folder_id as id, ${PLACE} from folders
      where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})`,
  );
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Locks folders so that they cannot be deleted until the end of the transaction. Returns the ids of those found. */
export async function lockFoldersAgainstDeletion(
  scope: InTransaction<OrganizationScope>,
  folderIds: string[],
): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ id: string }>`select folder_id as id from folders
      where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})
      order by folder_id for key share`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Locks one folder against deletion. Returns whether it exists. */
export async function lockFolderAgainstDeletion(
  scope: InTransaction<OrganizationScope>,
  folderId: string,
): Promise<boolean> {
  return (await lockFoldersAgainstDeletion(scope, [folderId])).size > 0;
}

export async function countFolders(scope: OrganizationScope): Promise<number> {
  const [row] = await scope.run(
    sql<{ count: number }>`select count(*) as count from folders where organization_key = ${uuid(scope.key)}`,
  );
  return row?.count ?? 0;
}

/** Inserts folders, none of which exists, into a locked tree. */
export async function insertFolders(scope: OrganizationScope, folders: NewFolderRow[]): Promise<void> {
  if (folders.length === 0) return;
  // PostgreSQL has no lists of lists of different lengths.
  const paths = texts(folders.map(({ path }) => JSON.stringify(path)));
  const lists = [
    texts(folders.map(({ id }) => id)),
    texts(folders.map(({ record }) => record)),
    texts(folders.map(({ parentId }) => parentId)),
    paths,
    texts(folders.map(({ ownType }) => ownType)),
    texts(folders.map(({ effectiveType }) => effectiveType)),
    integers(folders.map(({ definerDepth }) => definerDepth ?? 0)),
  ];
  // The key is a value: fromOrganization() gains nothing for an insert without ON CONFLICT.
  await scope.run(
    sql`insert into folders (organization_key, folder_id, record, parent_folder_id, path, access_type,
        effective_access_type, definer_depth)
      select ${uuid(scope.key)}, folder_id, record::json, parent_folder_id,
        array(select json_array_elements_text(path::json)), access_type, effective_access_type,
        nullif(definer_depth, 0)
      from unnest(${join(lists, ", ")}) as input
        (folder_id, record, parent_folder_id, path, access_type, effective_access_type, definer_depth)
      order by folder_id`,
  );
}

/** Returns the recursive part of a statement: `tree` has the ids of a folder and its descendants, with their level. */
function buildTree(organizationKey: OrganizationKey, folderId: string, levels?: number): Sql {
  const organization = uuid(organizationKey);
  return sql`with recursive tree as (
      select folder_id as id, 0 as level from folders
      where organization_key = ${organization} and folder_id = ${text(folderId)}
      union all
      select child.folder_id, tree.level + 1 from tree
      join folders child on child.organization_key = ${organization} and child.parent_folder_id = tree.id
      ${levels === undefined ? EMPTY : sql`where tree.level < ${integer(levels)}`}
    )`;
}

/** Returns the number of levels of a folder and its descendants; 0 if it does not exist. */
export async function selectHeight(scope: OrganizationScope, folderId: string): Promise<number> {
  const [row] = await scope.run(
    sql<{ height: number | null }>`${buildTree(scope.key, folderId)} select max(level) + 1 as height from tree`,
  );
  return row?.height ?? 0;
}

/** Returns the ids of a folder and its descendants; none if it does not exist. */
export async function selectSubtree(scope: OrganizationScope, folderId: string): Promise<string[]> {
  const rows = await scope.run(sql<{ id: string }>`${buildTree(scope.key, folderId)} select id from tree order by id`);
  return rows.map(({ id }) => id);
}

/** Sets the names of folders, as JSON texts with the field `folderName`. */
export async function renameFolders(
  scope: OrganizationScope,
  folders: { id: string; record: string }[],
): Promise<void> {
  if (folders.length === 0) return;
  const ids = texts(folders.map(({ id }) => id));
  await scope.run(
    sql`update folders set record = input.record::json, updated_at = statement_timestamp()
      from unnest(${ids}, ${texts(folders.map(({ record }) => record))}) as input (folder_id, record)
      where folders.organization_key = ${uuid(scope.key)} and folders.folder_id = input.folder_id`,
  );
}

/** Sets the parent of a folder in a locked tree, and the places of the folder and its descendants. */
export async function moveFolder(scope: OrganizationScope, folderId: string, parentId: string | null): Promise<void> {
  await scope.run(
    sql`update folders set parent_folder_id = ${text(parentId)}, updated_at = statement_timestamp()
      where organization_key = ${uuid(scope.key)} and folder_id = ${text(folderId)}`,
  );
  await refreshPlaces(scope, [folderId]);
}

/**
 * Sets the own types of folders in a locked tree, and the types that apply in them and their descendants. Null
 * inherits; undefined keeps the type that applies.
 */
export async function setFolderTypes(
  scope: OrganizationScope,
  folderIds: string[],
  ownType: AccessType | null | undefined,
  defaultType: AccessType,
): Promise<void> {
  const isKept = boolean(ownType === undefined);
  await scope.run(
    sql`update folders set updated_at = statement_timestamp(),
        access_type = case when ${isKept} then coalesce(effective_access_type, ${text(defaultType)})
          else ${text(ownType)} end
      where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})`,
  );
  await refreshPlaces(scope, folderIds);
}

/** Recomputes the places of folders and their descendants, starting with the outermost of them. */
async function refreshPlaces(scope: OrganizationScope, folderIds: string[]): Promise<void> {
  const organization = uuid(scope.key);
  await scope.run(
    sql`with recursive refreshed as (
      select folder.folder_id as id, parent.path || folder.folder_id as new_path,
        coalesce(folder.access_type, parent.effective_access_type) as type,
        case when folder.access_type is null then parent.definer_depth
          else coalesce(cardinality(parent.path), 0) + 1 end as depth
      from folders folder
      left join folders parent
        on parent.organization_key = ${organization} and parent.folder_id = folder.parent_folder_id
      where folder.organization_key = ${organization} and folder.folder_id = any(${texts(folderIds)})
        and not folder.path[:cardinality(folder.path) - 1] && ${texts(folderIds)}
      union all
      select child.folder_id, refreshed.new_path || child.folder_id, coalesce(child.access_type, refreshed.type),
        case when child.access_type is null then refreshed.depth else cardinality(refreshed.new_path) + 1 end
      from refreshed
      join folders child on child.organization_key = ${organization} and child.parent_folder_id = refreshed.id
    )
    update folders set path = refreshed.new_path, effective_access_type = refreshed.type,
      definer_depth = refreshed.depth
    from refreshed where folders.organization_key = ${organization} and folders.folder_id = refreshed.id`,
  );
}

/** Locks folders for their deletion; waits for calls that place documents in them. */
export async function lockFoldersForDeletion(
  scope: InTransaction<OrganizationScope>,
  folderIds: string[],
): Promise<void> {
  await scope.run(
    sql`select 1 as one from folders
      where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})
      order by folder_id for update`,
  );
}

/** Deletes locked folders, and the grants on them. */
export async function deleteFolderRows(scope: OrganizationScope, folderIds: string[]): Promise<void> {
  await deleteGrantsOn(scope, "folder", folderIds);
  await scope.run(
    sql`delete from folders
      where organization_key = ${uuid(scope.key)} and folder_id = any(${texts(folderIds)})`,
  );
}

const ROW = sql`folder_id as id, record, parent_folder_id as "parentId", path, access_type as "ownType",
  effective_access_type as "effectiveType", ${milliseconds(sql`created_at`)} as "createdAt",
  ${milliseconds(sql`updated_at`)} as "updatedAt"`;

/** Returns the folders of an organization by id, down to the given level from 1 if there is one. */
export function selectFolders(scope: OrganizationScope, levels: number | undefined): Promise<FolderRow[]> {
  const isNear = levels === undefined ? EMPTY : sql`and cardinality(path) <= ${integer(levels)}`;
  return scope.run(
    sql<FolderRow>`select ${ROW} from folders where organization_key = ${uuid(scope.key)} ${isNear}
      order by folder_id`,
  );
}

/** Returns a folder and its descendants by id, down to the given number of levels below it. */
export function selectFoldersIn(scope: OrganizationScope, folderId: string, levels: number): Promise<FolderRow[]> {
  return scope.run(
    sql<FolderRow>`${buildTree(scope.key, folderId, levels)}
      select ${ROW} from tree
      join folders on folders.organization_key = ${uuid(scope.key)} and folders.folder_id = tree.id
      order by folder_id`,
  );
}
