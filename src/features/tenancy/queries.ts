import { plainArray, textArray } from "../../database/array-parameter.ts";
import type { Queryable } from "../../database/database.ts";

/** Why the data of an organization may not be used. */
export type AccessBlock = "disabled" | "deleted";

/**
 * An AccessBlock or null, for statements whose $1 is an organization key. It is read where the data is read, so it is
 * never stale. An organization that does not exist yet has none.
 */
export const ACCESS_BLOCK = `(select ${accessBlockOf("organizations")} from organizations
  where organizations.organization_key = $1)`;

/** The same of a row that the statement has already. */
export function accessBlockOf(organizations: string): string {
  return `case when ${organizations}.deleted_at is not null then 'deleted'
    when ${organizations}.disabled then 'disabled' end`;
}

export async function selectAccessBlock(database: Queryable, organizationKey: string): Promise<AccessBlock | null> {
  const { rows } = await database.query<{ block: AccessBlock | null }>(`select ${ACCESS_BLOCK} as block`, [
    organizationKey,
  ]);
  return rows[0]?.block ?? null;
}

/** An organization, or a document of it, that a record is written to. */
export interface DocumentRef {
  organizationKey: string;
  workspaceId: string;
  organizationId: string;
  documentId?: string;
}

/**
 * Makes the organization and the document where they are missing, in one statement; returns what stands in the way.
 * The caller's transaction must not be committed when that keeps it from writing. Every writer makes the organization
 * before the document, or two would wait in a circle: PostgreSQL runs such parts from the last to the first.
 */
export async function insertMissingDocument(transaction: Queryable, place: DocumentRef): Promise<AccessBlock | null> {
  const { rows } = await transaction.query<{ block: AccessBlock | null }>(
    `with found as (
       select ${ACCESS_BLOCK} as block
     ), new_document as (
       insert into documents (organization_key, document_id)
       select $1, $4
       where $4::text is not null
         and not exists (select from documents where organization_key = $1 and document_id = $4)
       on conflict do nothing
     ), new_organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select $1, $2, $3
       where not exists (select from organizations where organization_key = $1)
       on conflict do nothing
     )
     select block from found`,
    [place.organizationKey, place.workspaceId, place.organizationId, place.documentId ?? null],
  );
  return rows[0]?.block ?? null;
}

/**
 * The same for the many calls of one statement, as its first parts; its first parameters are documentParameters. `call`
 * has a row for each, with its `number` from 1, its `block` and the `further` columns, by name and type.
 */
export function ensureDocuments(further: Record<string, string> = {}): string {
  const types = ["uuid", "uuid", "text", "text", ...Object.values(further)];
  const names = ["organization_key", "workspace_id", "organization_id", "document_id", ...Object.keys(further)];
  return `call as (
      select call.*, ${accessBlockOf("organization")} as block,
        organization.organization_key is null as is_new,
        not exists (select from documents document
          where document.organization_key = call.organization_key
            and document.document_id = call.document_id) as is_new_document
      from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})
        with ordinality as call (${names.join(", ")}, number)
      left join organizations organization using (organization_key)
    ), new_document as (
      insert into documents (organization_key, document_id)
      select distinct organization_key, document_id from call where is_new_document and block is null
      order by organization_key, document_id
      on conflict do nothing
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select distinct organization_key, workspace_id, organization_id from call where is_new
      order by organization_key
      on conflict do nothing
    )`;
}

export function documentParameters(calls: (DocumentRef & { documentId: string })[]): unknown[] {
  return [
    plainArray(calls.map(({ organizationKey }) => organizationKey)),
    plainArray(calls.map(({ workspaceId }) => workspaceId)),
    textArray(calls.map(({ organizationId }) => organizationId)),
    textArray(calls.map(({ documentId }) => documentId)),
  ];
}

/** What is missing of a place. */
export async function selectMissing(
  database: Queryable,
  organizationKey: string,
  documentId: string | undefined,
): Promise<{ organization: boolean; document: boolean }> {
  const { rows } = await database.query<{ organization: boolean; document: boolean }>(
    `select not exists (select from organizations where organization_key = $1) as organization,
       $2::text is not null and not exists (
         select from documents where organization_key = $1 and document_id = $2) as document`,
    [organizationKey, documentId ?? null],
  );
  return { organization: rows[0]?.organization ?? true, document: rows[0]?.document ?? true };
}
