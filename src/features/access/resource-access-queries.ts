import type { AccessType } from "../../contract/access-type.ts";
import { oneRow, sql, texts, uuid } from "../../database/sql.ts";
import { type AccessBlock, buildAccessBlock, buildDocumentBlock } from "../tenancy/tenancy-queries.ts";
import { type AccessOrganization, type AccessUser, type EffectiveGrant, organizationGrant } from "./access-queries.ts";
import {
  buildDocumentAccess,
  buildDocumentAccessType,
  buildFolderAccess,
  buildFolderType,
  documentRows,
} from "./document-access-queries.ts";

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
