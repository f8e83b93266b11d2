import { sql, text, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";

/** Returns the name of a document; undefined if it has none. */
export async function selectDocumentName(
  database: Queryable,
  organizationKey: string,
  documentId: string,
): Promise<string | undefined> {
  const [row] = await database.run(
    sql<{ name: string | null }>`select record ->> 'documentName' as name from documents
      where organization_key = ${uuid(organizationKey)} and document_id = ${text(documentId)}`,
  );
  return row?.name ?? undefined;
}

/** Returns the name and address of a user of the organization, as far as they are known. */
export async function selectUser(
  database: Queryable,
  organizationKey: string,
  userId: string,
): Promise<{ userId: string; name?: string; email?: string }> {
  const [row] = await database.run(
    sql<{ name: string | null; email: string | null }>`select record ->> 'name' as name, record ->> 'email' as email
      from users where organization_key = ${uuid(organizationKey)} and user_id = ${text(userId)}`,
  );
  return { userId, ...(row?.name && { name: row.name }), ...(row?.email && { email: row.email }) };
}

/** A preference that a user has set, for a document or, with an empty ID, for the organization. */
interface SetPreference {
  userId: string;
  documentId: string;
  inbox: string | null;
  email: string | null;
}

/** Returns the preferences of users that are set for the organization or the document. */
export function selectSetPreferences(
  database: Queryable,
  organizationKey: string,
  userIds: readonly string[],
  documentId: string,
): Promise<SetPreference[]> {
  return database.run(
    sql<SetPreference>`select user_id as "userId", document_id as "documentId", inbox, email
      from notification_configs
      where organization_key = ${uuid(organizationKey)} and document_id in (${text(documentId)}, '')
        and user_id = any(${texts(userIds)})
      order by user_id`,
  );
}
