import { newId } from "../../../database/new-id.ts";
import { type Sql, sql, text, uuid } from "../../../database/sql.ts";
import { purgeAwaiting } from "../../purge/overwriting-queries.ts";
import { userPages } from "../../purge/user-purge-queries.ts";
import type { InTransaction, StoredOrganization, TransactionalOrganization } from "../../tenancy/organization-scope.ts";
import type { CollaborativeDocumentRef } from "../collaborative-document-ref.ts";
import { isKept, matchesRef } from "./crdt-update-queries.ts";

const AUTHORS = {
  name: "crdt_authors",
  key: ["document_id", "editor_id", "user_id"],
  time: { writtenAt: "written_at" },
  purgedWith: ["user"],
} as const;

/** Returns the ID of a user as an author of a collaborative document, which is new for a new author. */
export function ensureAuthor(
  organization: TransactionalOrganization,
  document: CollaborativeDocumentRef,
  userId: string,
): Promise<string | null> {
  return organization.transaction((scope) => insertAuthor(scope, document, { id: newId(), userId }));
}

/** Inserts a user as an author with this ID, unless the user is one. Returns the ID; null without a document. */
export async function insertAuthor(
  scope: InTransaction<StoredOrganization>,
  document: CollaborativeDocumentRef,
  { id, userId }: { id: string; userId: string },
): Promise<string | null> {
  const { documentId, editorId } = document;
  await purgeAwaiting(scope, AUTHORS, [[documentId, editorId, userId]]);
  await scope.run(
    sql`insert into crdt_authors (organization_key, document_id, editor_id, user_id, id)
      select organization_key, document_id, editor_id, ${text(userId)}, ${uuid(id)}
      from crdt_documents where ${matchesRef(scope, document)} and ${isKept(sql`${uuid(scope.key)}`)}
      on conflict do nothing`,
  );
  const [row] = await scope.run(
    sql<{ id: string }>`select id::text as id from crdt_authors
      where ${matchesRef(scope, document)} and user_id = ${text(userId)}`,
  );
  return row?.id ?? null;
}

/**
 * Returns a JSON array with the users of a list of author IDs, by ID. Users who were deleted are missing. `authors` and
 * the reference are expressions of the statement.
 */
export function selectUserIds(scope: StoredOrganization, document: CollaborativeDocumentRef, authors: Sql): Sql {
  return sql`(select coalesce(json_agg(user_id order by user_id), '[]') from crdt_authors
    where ${matchesRef(scope, document)} and crdt_authors.id = any(${authors}))`;
}

/** Returns the authors of a collaborative document. */
export function selectAuthors(
  scope: StoredOrganization,
  document: CollaborativeDocumentRef,
): Promise<{ id: string; userId: string }[]> {
  return scope.run(
    sql<{ id: string; userId: string }>`select id::text as id, user_id as "userId" from crdt_authors
      where ${matchesRef(scope, document)}`,
  );
}

/** Reads one page of the collaborative documents in which a user wrote, with the time of the first change. */
export const selectAuthoredPage = userPages({
  source: ({ organizationKey, userId }) =>
    sql`from (
      select document_id, editor_id, 0 as record_bytes, json_build_object(
        'documentId', document_id, 'editorId', editor_id, 'firstChangedAt', written_at) as record
      from crdt_authors where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}
    ) as authored where true`,
  keys: ["document_id", "editor_id"],
  keyType: "text",
});
