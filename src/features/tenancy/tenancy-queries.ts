import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, identifier, type Parameter, Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { OrganizationScope, StoredOrganization } from "./organization-scope.ts";

/** The key of an organization in the column `organization_key`, as its 32 digits without hyphens. */
export const KEY_DIGITS = buildKeyDigits(sql`organization_key`);

/** Returns the digits of a column that has the key of an organization. PostgreSQL writes a uuid with hyphens. */
export function buildKeyDigits(column: Sql): Sql {
  return sql`replace(${column}::text, '-', '')`;
}

/** Reason why data cannot be used: that of its organization, else the ID of a disabled or migrating document. */
export type AccessBlock = "disabled" | "being deleted" | `document ${string}` | `migrating ${string}`;

/** The documents whose data an operation uses, by id. */
export type Documents = string | readonly string[] | undefined;

/**
 * Returns an expression for the AccessBlock of the organization, else of the first document that has one, or null.
 * `documents` are IDs, or an expression for one. A statement reads the block together with the data, so it is never
 * stale. An organization or document that does not exist yet has none.
 */
export function buildAccessBlock(organizationKey: OrganizationKey, documents?: Documents | Sql): Sql {
  const organizationBlock = sql`(select ${buildJoinedBlock("organizations")} from organizations
    where organizations.organization_key = ${uuid(organizationKey)})`;
  if (documents instanceof Sql) {
    return sql`coalesce(${organizationBlock}, ${blockedDocument(organizationKey, sql`= ${documents}`)})`;
  }
  const ids = [documents ?? []].flat();
  if (ids.length === 0) return organizationBlock;
  const isNamed = ids.length === 1 ? sql`= ${text(ids[0])}` : sql`= any(${texts(ids)})`;
  return sql`coalesce(${organizationBlock}, ${blockedDocument(organizationKey, isNamed)})`;
}

/** Returns the expression for the AccessBlock of the first of the documents that is disabled or being migrated. */
function blockedDocument(organizationKey: OrganizationKey, isNamed: Sql): Sql {
  return sql`(select ${buildDocumentBlock("documents")} from documents
    where documents.organization_key = ${uuid(organizationKey)} and documents.document_id ${isNamed}
      and documents.disabled order by documents.document_id limit 1)`;
}

/** Returns an expression for the AccessBlock of joined rows of organizations and documents, by their aliases. */
export function buildJoinedBlock(organizationAlias: string, documentAlias?: string): Sql {
  const organization = identifier(organizationAlias);
  const documentCase = documentAlias === undefined ? EMPTY : sql`else ${buildDocumentBlock(documentAlias)}`;
  return sql`case when ${organization}.deleted_at is not null then 'being deleted'
    when ${organization}.disabled then 'disabled' ${documentCase} end`;
}

/** Returns an expression for the AccessBlock of a row of documents, which are disabled while their data is moved. */
export function buildDocumentBlock(alias: string): Sql {
  const document = identifier(alias);
  return sql`case when ${document}.disabled then
    case when ${document}.migration_id is null then 'document ' else 'migrating ' end || ${document}.document_id end`;
}

/** Returns the block of the first of the documents that a migration moves. */
export async function selectMigrationBlock(
  scope: StoredOrganization,
  documentIds: readonly string[],
): Promise<AccessBlock | null> {
  const [row] = await scope.run(
    sql<{ block: AccessBlock }>`select ${buildDocumentBlock("documents")} as block from documents
      where organization_key = ${uuid(scope.key)} and document_id = any(${texts(documentIds)})
        and migration_id is not null order by document_id limit 1`,
  );
  return row?.block ?? null;
}

/**
 * Returns the condition that a row's document is not disabled, for lists that name no document. The subquery is not
 * correlated: PostgreSQL reads the few entries of a partial index once, and index ranges and their order stay.
 */
export function isInEnabledDocument(organization: Parameter | Sql, documentId: Sql): Sql {
  return sql`${documentId} not in (select disabled_document.document_id from documents disabled_document
    where disabled_document.organization_key = ${organization} and disabled_document.disabled)`;
}

export async function selectAccessBlock(scope: StoredOrganization, documents?: Documents): Promise<AccessBlock | null> {
  const [row] = await scope.run(
    sql<{ block: AccessBlock | null }>`select ${buildAccessBlock(scope.key, documents)} as block`,
  );
  return row?.block ?? null;
}

/** The organization and documents that a write has created implicitly. */
export interface Created {
  isOrganizationCreated: boolean;
  documentIds: string[];
}

/** Whether the organization of a write, and its document if it names one, exist. */
export interface Existence {
  block: AccessBlock | null;
  hasOrganization: boolean;
  /** True if the write names no document. */
  hasDocument: boolean;
}

export async function selectExistence(scope: OrganizationScope, documentId: string | undefined): Promise<Existence> {
  const organization = uuid(scope.key);
  const [row] = await scope.run(
    sql<Existence>`select ${buildAccessBlock(scope.key, documentId)} as block,
      exists (select from organizations where organization_key = ${organization}) as "hasOrganization",
      ${text(documentId)} is null or exists (
        select from documents where organization_key = ${organization} and document_id = ${text(documentId)}
      ) as "hasDocument"`,
  );
  return row ?? { block: null, hasOrganization: false, hasDocument: false };
}

/**
 * Creates what is missing of the organization and document. Returns what it has created. Every writer creates the
 * organization before the document to avoid deadlocks.
 */
export async function insertMissing(
  scope: OrganizationScope,
  documentId: string | undefined,
  { hasOrganization, hasDocument }: Existence,
): Promise<Created> {
  const created: Created = { isOrganizationCreated: false, documentIds: [] };
  if (!hasOrganization) {
    const rows = await scope.run(
      sql`insert into organizations (organization_key, workspace_id, organization_id)
        values (${uuid(scope.key)}, ${uuid(scope.workspace.id)}, ${text(scope.organizationId)})
        on conflict do nothing
        returning organization_id`,
    );
    created.isOrganizationCreated = rows.length > 0;
  }
  if (!hasDocument && documentId !== undefined) {
    created.documentIds = await insertMissingDocuments(scope, [documentId]);
  }
  return created;
}

/**
 * Returns the FROM of rows to insert into an organization that exists: a relation, and the column `organization_key`.
 * The key comes from the row of the organization, so that one shard of Citus can execute the insert. With the key as a
 * value, the coordinator would read the rows first, and write them in further statements; and an insert that reads only
 * a common table expression would send its rows to all nodes, and fail while one is away. Two kinds of inserts gain
 * nothing: those with a sequence, which one shard cannot execute, and those without ON CONFLICT or RETURNING, whose
 * rows the coordinator copies to the shard (measured: 1.6 ms with the key as a value, and 1.7 ms).
 */
export function fromOrganization(organizationKey: OrganizationKey, rows: Sql): Sql {
  return sql`from (
      select organization_key from organizations where organization_key = ${uuid(organizationKey)}
    ) as organization cross join ${rows}`;
}

/** Creates missing documents of an organization that exists. Returns their IDs. Writes rows in key order. */
export async function insertMissingDocuments(
  scope: StoredOrganization,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await scope.run(
    sql<{ documentId: string }>`insert into documents (organization_key, document_id)
      select organization_key, document_id
      ${fromOrganization(scope.key, sql`unnest(${texts(documentIds)}) as input (document_id)`)}
      order by document_id collate "C"
      on conflict do nothing
      returning document_id as "documentId"`,
  );
  return rows.map(({ documentId }) => documentId);
}

/**
 * Returns the FROM and WHERE of the rows of a relation `given` whose document exists and is not disabled, if the
 * organization has no access block. The key of a row comes from `document`, so that one shard of Citus can execute its
 * insert.
 */
export function fromExistingDocuments(organizationKey: OrganizationKey, given: Sql): Sql {
  const organization = uuid(organizationKey);
  return sql`from documents document join ${given} on given.document_id = document.document_id
    where document.organization_key = ${organization} and not document.disabled and (
      select ${buildJoinedBlock("organization")} is null
      from organizations organization where organization.organization_key = ${organization})`;
}
