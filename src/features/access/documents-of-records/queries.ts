import { type Sql, sql, uuid } from "../../../database/sql.ts";
import { type AccessScope, isReadable } from "../queries.ts";

/**
 * Returns the condition that the user may read the document of a record, for lists of records of several documents.
 * `documentId` is an expression over the record. A missing document has the access that it would have outside of any
 * folder. If documents are public by default, and no document or folder is closed, records cost no look-up.
 */
export function isInReadableDocument(scope: AccessScope, documentId: Sql): Sql {
  const isReadableDocument = sql`(select ${isReadable(scope, "document")}
    from (
      select ${documentId} as document_id, stored.access_type, stored.folder_id,
        coalesce(stored.disabled, false) as disabled
      from (select 1 as one) as one left join documents stored
        on stored.organization_key = ${uuid(scope.organizationKey)} and stored.document_id = ${documentId}
    ) as document)`;
  if (scope.defaultType !== "public") return isReadableDocument;
  return sql`(not ${hasClosedDocuments(scope.organizationKey)} or ${isReadableDocument})`;
}

/**
 * Returns a subquery, computed once for a statement: whether a document or a folder is closed, so that not everyone may
 * read all documents of the organization if they are public by default.
 */
export function hasClosedDocuments(organizationKey: string): Sql {
  const organization = uuid(organizationKey);
  return sql`(select exists (select 1 from documents closed
        where closed.organization_key = ${organization} and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = ${organization} and closed.access_type <> 'public')
      or exists (select 1 from folders closed
        where closed.organization_key = ${organization} and closed.effective_access_type <> 'public'))`;
}
