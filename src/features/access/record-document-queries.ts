import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, type Sql, sql, uuid } from "../../database/sql.ts";
import { type AccessScope, hasExpiredTokenGrant, hasOrganizationGrant } from "./access-queries.ts";
import { documentRows, isReadable } from "./document-access-queries.ts";

/**
 * Returns the condition that the user may read the document of a record, for lists of records of several documents.
 * `documentId` is an expression over the record, and so is `staysOpen` of documentRows(). Records cost no look-up if
 * documents are open to the user by default and none is closed.
 */
export function isInReadableDocument(scope: AccessScope, documentId: Sql, staysOpen?: Sql): Sql {
  const asked = sql`(select ${documentId} as document_id) as asked`;
  return unlessAllOpen(
    scope,
    sql`(select ${isReadable(scope, "document")}
      from ${documentRows(scope.organization.key, asked, staysOpen)})`,
  );
}

/** Returns the condition, which PostgreSQL looks at only if the user may not read all documents of the organization. */
function unlessAllOpen(scope: AccessScope, isReadableDocument: Sql): Sql {
  const { key, workspace } = scope.organization;
  const type = workspace.defaultDocumentAccessType;
  if (type === "restricted" || hasExpiredTokenGrant(scope)) return isReadableDocument;
  const isMember = type === "public" ? EMPTY : sql`${hasOrganizationGrant(scope)} and`;
  return sql`(${isMember} not ${hasClosedDocuments(key, type)} or ${isReadableDocument})`;
}

/** Condition that an access type takes away what the default gives: to everyone, or to users of the organization. */
const IS_CLOSED = {
  public: (type: Sql) => sql`${type} <> 'public'`,
  organizationPrivate: (type: Sql) => sql`${type} = 'restricted'`,
};

/**
 * Returns the condition that the user may read the document of a record, for lists that may have few records which the
 * user sees among many: PostgreSQL decides once for each document of the organization, instead of for each record,
 * unless the records are few. IS TRUE keeps it from joining the documents, which have no order. The records of a
 * document that does not exist await their purge, and nobody reads them. (Measured with 100,000 records of 1,000
 * documents, 10 of them readable: a page of 50 takes 1.4 ms instead of 17 ms, an empty one 14 ms instead of 335 ms.)
 */
export function isInStoredReadableDocument(scope: AccessScope, documentId: Sql): Sql {
  return unlessAllOpen(
    scope,
    sql`(exists (select 1 as one from documents document
      where document.organization_key = ${uuid(scope.organization.key)} and document.document_id = ${documentId}
        and ${isReadable(scope, "document")})) is true`,
  );
}

/**
 * Returns a subquery, computed once for a statement: whether a document, deleted or not, or a folder is closed, so that
 * not everyone to whom documents are open by default may read all documents of the organization.
 */
function hasClosedDocuments(organizationKey: OrganizationKey, byDefault: keyof typeof IS_CLOSED): Sql {
  const organization = uuid(organizationKey);
  const isClosed = IS_CLOSED[byDefault];
  return sql`(select exists (select 1 from documents closed
        where closed.organization_key = ${organization} and closed.disabled)
      or exists (select 1 from documents closed
        where closed.organization_key = ${organization} and ${isClosed(sql`closed.access_type`)})
      or exists (select 1 from folders closed
        where closed.organization_key = ${organization} and ${isClosed(sql`closed.effective_access_type`)})
      or exists (select 1 from document_purges closed where closed.organization_key = ${organization}))`;
}
