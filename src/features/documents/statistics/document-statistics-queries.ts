import { selectOrderedPage } from "../../../database/ordered-page.ts";
import { boolean, identifier, join, type Parameter, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import { buildSearch } from "../../../database/text-search.ts";
import { isUserOf } from "../../access/effective-grant-queries.ts";
import { DOCUMENT_TEXTS } from "../../search/search-queries.ts";
import { buildLastActivity } from "../../tenancy/last-activity-queries.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { andInFolder } from "../document-queries.ts";
import type { DocumentStatistics } from "./schema.ts";

/** What the documents of an organization can be ordered by. */
export const DOCUMENT_ORDERS = ["id", "name", "createdAt", "annotations", "users", "lastActivity"] as const;
type OrderBy = (typeof DOCUMENT_ORDERS)[number];

interface Filters {
  documentIds?: readonly string[] | undefined;
  search?: string | undefined;
  /** Null selects the documents outside of any folder. */
  folderId?: string | null | undefined;
  disabled?: boolean | undefined;
}

interface PageRequest {
  orderBy: OrderBy;
  order: "asc" | "desc";
  pageSize: number;
  after: string[] | undefined;
}

/** Columns of `buildStatistics`. */
export interface StoredStatistics extends Omit<DocumentStatistics, "id" | "documentName" | "folderId"> {
  record: string | null;
  folderId: string | null;
}

const CREATED_AT = sql`floor(extract(epoch from document.created_at) * 1000)::bigint`;
const TEXTS: readonly OrderBy[] = ["id", "name"];

/** The key of an organization, or the column that has it. */
type Organization = Parameter | Sql;

function buildAnnotations(organization: Organization): Sql {
  return sql`(select count(*) from comment_annotations annotation
    where annotation.organization_key = ${organization} and annotation.document_id = document.document_id)`;
}

function buildUsers(organization: Organization): Sql {
  const isOfDocument = isUserOf(organization, { type: "document", id: sql`document.document_id` });
  return sql`(select count(*) from grants where ${isOfDocument})`;
}

/** Tables of a document's content, with the columns that take space. */
const CONTENT = {
  crdt_documents: ["state", "record"],
  crdt_updates: ["yjs_update"],
  crdt_versions: ["state", "record"],
};

/** Returns the bytes of a document's content as they are stored, which reads only the sizes of large values. */
function buildContentBytes(organization: Organization): Sql {
  const sums = Object.entries(CONTENT).map(([table, columns]) => {
    const bytes = columns.map((column) => sql`pg_column_size(content.${identifier(column)})`);
    return sql`(select coalesce(sum(${join(bytes, " + ")}), 0) from ${identifier(table)} content
      where content.organization_key = ${organization} and content.document_id = document.document_id)`;
  });
  return sql`(${join(sums, " + ")})`;
}

function getLastActivity(organization: Organization): Sql {
  return buildLastActivity(organization, sql`document.document_id`);
}

/** Returns the text or number to order by. */
function orderedValue(orderBy: OrderBy, organization: Organization): Sql {
  const values: Record<OrderBy, Sql> = {
    id: sql`document_id`,
    name: sql`coalesce(nullif(document.name, ''), lower(document_id))`,
    createdAt: sql`(extract(epoch from document.created_at) * 1000000)::bigint`,
    annotations: buildAnnotations(organization),
    users: buildUsers(organization),
    lastActivity: sql`coalesce(${getLastActivity(organization)}, 0)`,
  };
  return values[orderBy];
}

/** Returns the columns of a document's statistics. */
export function buildStatistics(organization: Organization): Sql {
  return sql`document.record::text as record, document.folder_id as "folderId", document.disabled,
    ${CREATED_AT} as "createdAt", ${buildAnnotations(organization)} as annotations,
    ${buildUsers(organization)} as users, ${buildContentBytes(organization)} as "contentBytes",
    ${getLastActivity(organization)} as "lastActivity"`;
}

/** Reads one page of the matching documents with their statistics, and counts all matches. */
export async function selectDocumentStatistics(
  scope: OrganizationScope,
  { documentIds, search, folderId, disabled }: Filters,
  { orderBy, ...page }: PageRequest,
): Promise<{ documents: DocumentStatistics[]; totalCount: number; next: string[] | undefined }> {
  const organization = uuid(scope.key);
  const conditions = [sql`organization_key = ${organization} ${andInFolder(folderId)}`];
  if (documentIds !== undefined) conditions.push(sql`document_id = any(${texts(documentIds)})`);
  if (search !== undefined) conditions.push(buildSearch(DOCUMENT_TEXTS, search));
  if (disabled !== undefined) conditions.push(sql`disabled = ${boolean(disabled)}`);
  const rows = {
    source: sql`from documents document where ${join(conditions, " and ")}`,
    id: sql`document_id`,
    value: orderedValue(orderBy, organization),
    isText: TEXTS.includes(orderBy),
  };
  const { ids, totalCount, next } = await selectOrderedPage(scope, rows, page);
  const found = await scope.run(
    sql<
      StoredStatistics & { id: string }
    >`select document_id as id, ${buildStatistics(organization)} from documents document
      where organization_key = ${organization} and document_id = any(${texts(ids)})`,
  );
  const documents = new Map(found.map((stored) => [stored.id, withRecord(stored)]));
  return { documents: ids.flatMap((id) => documents.get(id) ?? []), totalCount, next };
}

/** Adds the name from the stored record. PostgreSQL cannot read a text with the character U+0000. */
export function withRecord({ record, folderId, ...statistics }: StoredStatistics & { id: string }): DocumentStatistics {
  const { documentName = "" }: { documentName?: string } = JSON.parse(record ?? "{}");
  return { ...statistics, documentName, ...(folderId !== null && { folderId }) };
}
