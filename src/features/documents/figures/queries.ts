import { selectOrderedPage } from "../../../database/ordered-page.ts";
import { boolean, join, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { isStartingWith } from "../../../database/text-start.ts";
import { DOCUMENT_FIELDS } from "../../search/queries.ts";
import { andInFolder, DOCUMENT_RECORD, lastActivityOf } from "../queries.ts";

/** What the documents of an organization can be ordered by. */
export const DOCUMENT_ORDERS = ["id", "name", "createdAt", "annotations", "users", "lastActivity"] as const;
type OrderBy = (typeof DOCUMENT_ORDERS)[number];

interface Filters {
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

interface DocumentFigures {
  id: string;
  documentName: string;
  folderId?: string;
  disabled: boolean;
  createdAt: number;
  annotations: number;
  users: number;
  lastActivity: number;
}

const CREATED_AT = sql`floor(extract(epoch from document.created_at) * 1000)::bigint`;
const TEXTS: readonly OrderBy[] = ["id", "name"];

function annotationsOf(organizationKey: string): Sql {
  return sql`(select count(*) from comment_annotations annotation
    where annotation.organization_key = ${uuid(organizationKey)} and annotation.document_id = document.document_id)`;
}

/** Returns the number of users with a grant of their own that counts now. */
function usersOf(organizationKey: string): Sql {
  return sql`(select count(*) from grants held
    where held.organization_key = ${uuid(organizationKey)} and held.document_id = document.document_id
      and held.document_id <> '' and (held.expires_at is null or held.expires_at > now()))`;
}

/** Returns the text or number to order by. */
function orderedValue(orderBy: OrderBy, organizationKey: string): Sql {
  const values: Record<OrderBy, Sql> = {
    id: sql`document_id`,
    name: sql`coalesce(nullif(search_text(record, 'documentName'), ''), lower(document_id))`,
    createdAt: sql`(extract(epoch from document.created_at) * 1000000)::bigint`,
    annotations: annotationsOf(organizationKey),
    users: usersOf(organizationKey),
    lastActivity: lastActivityOf(organizationKey),
  };
  return values[orderBy];
}

/** Reads one page of the matching documents with their figures, and counts all matches. */
export async function selectDocumentFigures(
  database: Queryable,
  organizationKey: string,
  { search, folderId, disabled }: Filters,
  { orderBy, ...page }: PageRequest,
): Promise<{ documents: DocumentFigures[]; totalCount: number; next: string[] | undefined }> {
  const conditions = [sql`organization_key = ${uuid(organizationKey)} ${andInFolder(folderId)}`];
  if (search !== undefined) conditions.push(isStartingWith(DOCUMENT_FIELDS, search));
  if (disabled !== undefined) conditions.push(sql`disabled = ${boolean(disabled)}`);
  const rows = {
    source: sql`from documents document where ${join(conditions, " and ")}`,
    id: sql`document_id`,
    value: orderedValue(orderBy, organizationKey),
    isText: TEXTS.includes(orderBy),
  };
  const { ids, totalCount, next } = await selectOrderedPage(database, rows, page);
  const found = await database.run(
    sql<Omit<DocumentFigures, "documentName" | "folderId"> & { record: string; folderId: string | null }>`
      select document_id as id, ${DOCUMENT_RECORD} as record, folder_id as "folderId", disabled,
        ${CREATED_AT} as "createdAt", ${annotationsOf(organizationKey)} as annotations,
        ${usersOf(organizationKey)} as users,
        ${lastActivityOf(organizationKey)} as "lastActivity"
      from documents document
      where organization_key = ${uuid(organizationKey)} and document_id = any(${texts(ids)})`,
  );
  const documents = new Map(
    found.map(({ record, folderId: folder, ...figures }) => [
      figures.id,
      { ...figures, documentName: nameIn(record), ...(folder !== null && { folderId: folder }) },
    ]),
  );
  return { documents: ids.flatMap((id) => documents.get(id) ?? []), totalCount, next };
}

/** Returns the name in a stored record. PostgreSQL cannot read a text with the character U+0000. */
function nameIn(record: string): string {
  const { documentName = "" }: { documentName?: string } = JSON.parse(record);
  return documentName;
}
