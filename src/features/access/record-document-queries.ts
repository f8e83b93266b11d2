import type { OrganizationKey } from "../../database/keys.ts";
import { type Sql, sql, uuid } from "../../database/sql.ts";
import { type AccessScope, documentRows, isReadable } from "./access-queries.ts";

/**
 * Returns the condition that the user may read the document of a record, for lists of records of several documents.
 * `documentId` is an expression over the record, and so is `staysOpen` of documentRows(). If documents are public by
 * default, and no document or folder is closed, records cost no look-up.
 */
export function isInReadableDocument(scope: AccessScope, documentId: Sql, staysOpen?: Sql): Sql {
  const asked = sql`(select ${documentId} as document_id) as asked`;
  const isReadableDocument = sql`(select ${isReadable(scope, "document")}
    from ${documentRows(scope.organization.key, asked, staysOpen)})`;
  if (scope.organization.workspace.defaultDocumentAccessType !== "public") return isReadableDocument;
  return sql`(not ${hasClosedDocuments(scope.organization.key)} or ${isReadableDocument})`;
}

/**
 * Returns a subquery, computed once for a statement: whether a document, deleted or not, or a folder is closed, so that
 * not everyone may read all documents of the organization if they are public by default.
 */
export function hasClosedDocuments(organizationKey: OrganizationKey): Sql {
  const organization = uuid(organizationKey);
  return sql`(select exists (select 1 from documents closed
        where closed.organization_key = ${organization} and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = ${organization} and closed.access_type <> 'public')
      or exists (select 1 from folders closed
        where closed.organization_key = ${organization} and closed.effective_access_type <> 'public')
      or exists (select 1 from document_purges closed where closed.organization_key = ${organization}))`;
}
