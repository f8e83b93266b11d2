import { lockRecords } from "../../database/records.ts";
import {
  EMPTY,
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

/** The key of an organization in the column `organization_key`, as its 32 digits without hyphens. */
export const KEY_DIGITS = sql`replace(organization_key::text, '-', '')`;

/** Reason why data cannot be used: that of its organization, else the ID of a disabled or migrating document. */
export type AccessBlock = "disabled" | "being deleted" | `document ${string}` | `migrating ${string}`;

/** The documents whose data an operation uses, by id. */
export type Documents = string | readonly string[] | undefined;

/**
 * Returns an expression for the AccessBlock of the organization, else of the first document that has one, or null. A
 * statement reads it together with the data, so it is never stale. An organization or document that does not exist yet
 * has none.
 */
export function accessBlock(organizationKey: string, documents?: Documents): Sql {
  const ofOrganization = sql`(select ${accessBlockOf("organizations")} from organizations
    where organizations.organization_key = ${uuid(organizationKey)})`;
  const ids = [documents ?? []].flat();
  if (ids.length === 0) return ofOrganization;
  const isNamed = ids.length === 1 ? sql`= ${text(ids[0])}` : sql`= any(${texts(ids)})`;
  return sql`coalesce(${ofOrganization}, ${blockedDocument(organizationKey, isNamed)})`;
}

/** Returns the same expression for the document whose id is an expression. */
export function accessBlockIn(organizationKey: string, documentId: Sql): Sql {
  return sql`coalesce(${accessBlock(organizationKey)}, ${blockedDocument(organizationKey, sql`= ${documentId}`)})`;
}

/** Returns the expression for the AccessBlock of the first of the documents that is disabled or being migrated. */
function blockedDocument(organizationKey: string, isNamed: Sql): Sql {
  return sql`(select ${documentBlockOf("documents")} from documents
    where documents.organization_key = ${uuid(organizationKey)} and documents.document_id ${isNamed}
      and documents.disabled order by documents.document_id limit 1)`;
}

/** Returns the same expression for rows of organizations and documents that the statement has, by their aliases. */
export function accessBlockOf(organizationAlias: string, documentAlias?: string): Sql {
  const organization = identifier(organizationAlias);
  const ofDocument = documentAlias === undefined ? EMPTY : sql`else ${documentBlockOf(documentAlias)}`;
  return sql`case when ${organization}.deleted_at is not null then 'being deleted'
    when ${organization}.disabled then 'disabled' ${ofDocument} end`;
}

/** Returns the same expression for a row of documents alone. Documents are disabled while their data is moved. */
export function documentBlockOf(alias: string): Sql {
  const document = identifier(alias);
  return sql`case when ${document}.disabled then
    case when ${document}.migration_id is null then 'document ' else 'migrating ' end || ${document}.document_id end`;
}

/** Returns the block of the first of the documents that a migration moves. */
export async function selectMigrationBlock(
  database: Queryable,
  organizationKey: string,
  documentIds: readonly string[],
): Promise<AccessBlock | null> {
  const [row] = await database.run(
    sql<{ block: AccessBlock }>`select ${documentBlockOf("documents")} as block from documents
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(documentIds)})
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

/** Does the same as `lockRecords` for a table whose rows belong to documents, without those of disabled ones. */
export function lockEnabledRecords(
  transaction: Queryable,
  table: string,
  organizationKey: string,
  ids: string[],
): Promise<Map<string, string>> {
  const condition = isInEnabledDocument(uuid(organizationKey), sql`document_id`);
  return lockRecords(transaction, table, organizationKey, ids, condition);
}

export async function selectAccessBlock(
  database: Queryable,
  organizationKey: string,
  documents?: Documents,
): Promise<AccessBlock | null> {
  const [row] = await database.run(
    sql<{ block: AccessBlock | null }>`select ${accessBlock(organizationKey, documents)} as block`,
  );
  return row?.block ?? null;
}

/**
 * Condition that holds, but only once the organizations are created. PostgreSQL runs the parts of a statement from the
 * last to the first unless one reads another, and Citus from the first to the last.
 */
const AFTER_ORGANIZATION = sql`(select count(*) from new_organization) >= 0`;
/** The same for the documents. */
const AFTER_DOCUMENT = sql`(select count(*) from new_document) >= 0`;

/** An organization, or one of its documents, to which a record is written. */
export interface DocumentRef {
  organizationKey: string;
  workspaceId: string;
  organizationId: string;
  documentId?: string;
}

/** What a statement has created, besides the records that it writes. */
export interface Created {
  organizationKeys: string[];
  documents: { organizationKey: string; documentId: string }[];
}

/** Expression for what was created by a statement with `ensureDocuments`. */
export const CREATED = sql`json_build_object(
  'organizationKeys', (
    select coalesce(json_agg(${KEY_DIGITS}), '[]') from new_organization),
  'documents', (
    select coalesce(json_agg(json_build_object(
      'organizationKey', ${KEY_DIGITS}, 'documentId', document_id)), '[]')
    from new_document))`;

/** What a write finds of its organization, and of its document if it names one. */
export interface Existence {
  block: AccessBlock | null;
  hasOrganization: boolean;
  /** True if the write names no document. */
  hasDocument: boolean;
}

export async function selectExistence(
  database: Queryable,
  organizationKey: string,
  documentId: string | undefined,
): Promise<Existence> {
  const organization = uuid(organizationKey);
  const [row] = await database.run(
    sql<Existence>`select ${accessBlock(organizationKey, documentId)} as block,
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
  transaction: Queryable,
  { organizationKey, workspaceId, organizationId, documentId }: DocumentRef,
  { hasOrganization, hasDocument }: Existence,
): Promise<Created> {
  const created: Created = { organizationKeys: [], documents: [] };
  if (!hasOrganization) {
    const rows = await transaction.run(
      sql<{ key: string }>`insert into organizations (organization_key, workspace_id, organization_id)
        values (${uuid(organizationKey)}, ${uuid(workspaceId)}, ${text(organizationId)})
        on conflict do nothing
        returning ${KEY_DIGITS} as key`,
    );
    created.organizationKeys.push(...rows.map(({ key }) => key));
  }
  if (!hasDocument && documentId !== undefined) {
    const { documents } = await insertMissingDocuments(transaction, organizationKey, [documentId]);
    created.documents.push(...documents);
  }
  return created;
}

/**
 * Returns the FROM of rows to insert into an organization that exists: a relation, and the column `organization_key`.
 * The key comes from the row of the organization, so that one shard of Citus can execute the insert. With the key as a
 * value, the coordinator would read the rows first, and write them in further statements. Two kinds of inserts gain
 * nothing: those with a sequence, which one shard cannot execute, and those without ON CONFLICT or RETURNING, whose
 * rows the coordinator copies to the shard (measured: 1.6 ms with the key as a value, and 1.7 ms).
 */
export function fromOrganization(organizationKey: string, rows: Sql): Sql {
  return sql`from (
      select organization_key from organizations where organization_key = ${uuid(organizationKey)}
    ) as organization cross join ${rows}`;
}

/** Creates the documents that do not exist, in an organization that does. Returns them. Writes rows in key order. */
export async function insertMissingDocuments(
  transaction: Queryable,
  organizationKey: string,
  documentIds: readonly string[],
): Promise<Created> {
  const rows = await transaction.run(
    sql<{ documentId: string }>`insert into documents (organization_key, document_id)
      select organization_key, document_id
      ${fromOrganization(organizationKey, sql`unnest(${texts(documentIds)}) as input (document_id)`)}
      order by document_id collate "C"
      on conflict do nothing
      returning document_id as "documentId"`,
  );
  return { organizationKeys: [], documents: rows.map(({ documentId }) => ({ organizationKey, documentId })) };
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
 * missing. `call` has a row for each call with its `number` from 1, its `block`, and the further columns by name; it
 * is read once the documents are created, so that all writers lock organizations, documents and records in this order.
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
  return sql`checked_call as (
      select call.*, ${accessBlockOf("organization", "document")} as block,
        organization.organization_key is null as is_new, document.document_id is null as is_new_document
      from unnest(${join(lists, ", ")}) with ordinality as call (${identifiers(names)}, number)
      left join organizations organization on organization.organization_key = ${organization}
      left join documents document
        on document.organization_key = ${organization} and document.document_id = call.document_id
    ), new_organization as (
      insert into organizations (organization_key, workspace_id, organization_id)
      select distinct organization_key, workspace_id, organization_id from checked_call where is_new
      order by organization_key
      on conflict do nothing
      returning organization_key, organization_id
    ), new_document as (
      insert into documents (organization_key, document_id)
      select distinct organization_key, document_id collate "C" as document_id from checked_call
      where is_new_document and block is null and ${AFTER_ORGANIZATION}
      order by organization_key, document_id
      on conflict do nothing
      returning organization_key, document_id
    ), call as (
      select * from checked_call where ${AFTER_DOCUMENT}
    )`;
}

/**
 * Returns the FROM and WHERE of the rows of a relation `given` whose document exists and is not disabled, if the
 * organization has no access block. The key of a row comes from `document`, so that one shard of Citus can execute its
 * insert.
 */
export function fromExistingDocuments(organizationKey: string, given: Sql): Sql {
  const organization = uuid(organizationKey);
  return sql`from documents document join ${given} on given.document_id = document.document_id
    where document.organization_key = ${organization} and not document.disabled and (
      select ${accessBlockOf("organization")} is null
      from organizations organization where organization.organization_key = ${organization})`;
}
