import {
  identifier,
  identifiers,
  join,
  type Parameter,
  type Sql,
  sql,
  text,
  texts,
  uuid,
  uuids,
} from "../../database/sql.ts";
import type { Queryable } from "../../database/statement.ts";

/** Reason why the data of an organization cannot be used. */
export type AccessBlock = "disabled" | "being deleted";

/**
 * Returns an expression for the organization's AccessBlock or null. A statement reads it together with the data, so it
 * is never stale. An organization that does not exist yet has none.
 */
export function accessBlock(organizationKey: string): Sql {
  return sql`(select ${accessBlockOf("organizations")} from organizations
    where organizations.organization_key = ${uuid(organizationKey)})`;
}

/** Returns the same expression for a row of organizations that the statement already has, by its alias. */
export function accessBlockOf(alias: string): Sql {
  const organization = identifier(alias);
  return sql`case when ${organization}.deleted_at is not null then 'being deleted'
    when ${organization}.disabled then 'disabled' end`;
}

export async function selectAccessBlock(database: Queryable, organizationKey: string): Promise<AccessBlock | null> {
  const [row] = await database.run(sql<{ block: AccessBlock | null }>`select ${accessBlock(organizationKey)} as block`);
  return row?.block ?? null;
}

/**
 * Condition that holds, but only once the organizations are created. PostgreSQL runs the parts of a statement from the
 * last to the first unless one reads another, and Citus from the first to the last.
 */
const AFTER_ORGANIZATION = sql`(select count(*) from new_organization) >= 0`;

/** An organization, or one of its documents, to which a record is written. */
export interface DocumentRef {
  organizationKey: string;
  workspaceId: string;
  organizationId: string;
  documentId?: string;
}

/**
 * Creates the organization and document if missing, in one statement. Returns the access block, if any; the caller must
 * then roll back. Every writer creates the organization before the document to avoid deadlocks.
 */
export async function insertMissingDocument(
  transaction: Queryable,
  { organizationKey, workspaceId, organizationId, documentId }: DocumentRef,
): Promise<AccessBlock | null> {
  const [row] = await transaction.run(
    sql<{ block: AccessBlock | null }>`with found as (
      select ${accessBlock(organizationKey)} as block
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select ${uuid(organizationKey)}, ${uuid(workspaceId)}, ${text(organizationId)}
      where not exists (select from organizations where organization_key = ${uuid(organizationKey)})
      on conflict do nothing
      returning 1 as one
    ), new_document as (
      insert into documents (organization_key, document_id)
      select ${uuid(organizationKey)}, document_id from (select ${text(documentId)} as document_id) as input
      where document_id is not null and not exists (
        select from documents
        where documents.organization_key = ${uuid(organizationKey)} and documents.document_id = input.document_id)
        and ${AFTER_ORGANIZATION}
      on conflict do nothing
    )
    select block from found`,
  );
  return row?.block ?? null;
}

/** Creates the documents that do not exist, in an organization that does. Writes rows in key order. */
export async function insertMissingDocuments(
  transaction: Queryable,
  organizationKey: string,
  documentIds: readonly string[],
): Promise<void> {
  await transaction.run(
    sql`insert into documents (organization_key, document_id)
      select ${uuid(organizationKey)}, document_id from unnest(${texts(documentIds)}) as input (document_id)
      order by document_id
      on conflict do nothing`,
  );
}

/**
 * Returns what a statement of many calls compares organization keys with: the key itself if all calls have the same, so
 * that Citus finds the shard before it runs the statement, and else the column with the call's key. The comment is for
 * the check of statements: on Citus, all calls of a batch have the same key.
 */
export function organizationOf(calls: readonly { organizationKey: string }[], column: string): Sql {
  const keys = new Set(calls.map(({ organizationKey }) => organizationKey));
  const [key] = keys;
  if (keys.size === 1 && key !== undefined) return sql`${uuid(key)}`;
  return sql`${identifier(column)} /* of several organizations */`;
}

/**
 * Returns the first parts of a statement that many calls share, which create the organizations and documents that are
 * missing. `call` has a row for each call with its `number` from 1, its `block`, and the further columns by name.
 */
export function ensureDocuments(
  calls: (DocumentRef & { documentId: string })[],
  further: Record<string, Parameter> = {},
): Sql {
  const lists: Parameter[] = [
    uuids(calls.map(({ organizationKey }) => organizationKey)),
    uuids(calls.map(({ workspaceId }) => workspaceId)),
    texts(calls.map(({ organizationId }) => organizationId)),
    texts(calls.map(({ documentId }) => documentId)),
    ...Object.values(further),
  ];
  const organization = organizationOf(calls, "call.organization_key");
  const names = ["organization_key", "workspace_id", "organization_id", "document_id", ...Object.keys(further)];
  return sql`call as (
      select call.*, ${accessBlockOf("organization")} as block,
        organization.organization_key is null as is_new,
        not exists (select from documents document
          where document.organization_key = ${organization}
            and document.document_id = call.document_id) as is_new_document
      from unnest(${join(lists, ", ")}) with ordinality as call (${identifiers(names)}, number)
      left join organizations organization on organization.organization_key = ${organization}
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select distinct organization_key, workspace_id, organization_id from call where is_new
      order by organization_key
      on conflict do nothing
      returning 1 as one
    ), new_document as (
      insert into documents (organization_key, document_id)
      select distinct organization_key, document_id from call
      where is_new_document and block is null and ${AFTER_ORGANIZATION}
      order by organization_key, document_id
      on conflict do nothing
    )`;
}

/**
 * Returns the FROM and WHERE of the rows of a relation `given` whose document exists, if the organization of all calls
 * has no access block. The key of a row comes from `document`, so that one shard of Citus can execute its insert.
 */
export function fromExistingDocuments(calls: DocumentRef[], given: Sql): Sql {
  const organization = organizationOf(calls, "document.organization_key");
  return sql`from documents document join ${given} on given.document_id = document.document_id
    where document.organization_key = ${organization} and (
      select ${accessBlockOf("organization")} is null
      from organizations organization where organization.organization_key = ${organization})`;
}

/** Returns which of the organization and the document do not exist. */
export async function selectMissing(
  database: Queryable,
  organizationKey: string,
  documentId: string | undefined,
): Promise<{ organization: boolean; document: boolean }> {
  const [row] = await database.run(
    sql<{ organization: boolean; document: boolean }>`select
      not exists (select from organizations where organization_key = ${uuid(organizationKey)}) as organization,
      ${text(documentId)} is not null and not exists (
        select from documents where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}
      ) as document`,
  );
  return row ?? { organization: true, document: true };
}
