import type { OrganizationKey } from "../../../database/keys.ts";
import { oneRow, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import { parseRecord } from "../../../json/record-texts.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";

/** Returns the name of a document; undefined if it has none. */
export async function selectDocumentName(scope: OrganizationScope, documentId: string): Promise<string | undefined> {
  const { record } = await scope.run(
    oneRow(sql<{ record: string | null }>`select (${selectDocument(scope.key, documentId)}) as record`),
  );
  return readText(record, "documentName");
}

function selectDocument(organizationKey: OrganizationKey, documentId: string): Sql {
  return sql`select documents.record::text from documents
    where documents.organization_key = ${uuid(organizationKey)} and documents.document_id = ${text(documentId)}`;
}

/** Returns a text of a record. PostgreSQL reads none in a record that has U+0000 or a lone surrogate anywhere. */
function readText(record: string | null, field: string): string | undefined {
  const value: unknown = record === null ? undefined : Reflect.get(parseRecord(record), field);
  return typeof value === "string" ? value : undefined;
}

/** Returns the name and address of a user of the organization, as far as they are known. */
export async function selectUser(
  scope: OrganizationScope,
  userId: string,
): Promise<{ userId: string; name?: string; email?: string }> {
  const { record } = await scope.run(
    oneRow(
      sql<{ record: string | null }>`select (
          select users.record::text from users
          where users.organization_key = ${uuid(scope.key)} and users.user_id = ${text(userId)}
        ) as record`,
    ),
  );
  const [name, email] = [readText(record, "name"), readText(record, "email")];
  return { userId, ...(name && { name }), ...(email && { email }) };
}

/** A preference that a user has set, for a document or, with an empty ID, for the organization. */
export interface SetPreference {
  userId: string;
  documentId: string;
  inbox: string | null;
  email: string | null;
}

/** Returns the name of a document, and the preferences of users that are set for it or the organization. */
export async function selectNameAndPreferences(
  scope: OrganizationScope,
  documentId: string,
  userIds: readonly string[],
): Promise<{ name: string | undefined; preferences: SetPreference[] }> {
  const { record, preferences } = await scope.run(
    oneRow(
      sql<{ record: string | null; preferences: SetPreference[] }>`select (
          ${selectDocument(scope.key, documentId)}
        ) as record, coalesce((
          select json_agg(json_build_object('userId', config.user_id, 'documentId', config.document_id,
            'inbox', config.inbox, 'email', config.email) order by config.user_id)
          from notification_configs config
          where config.organization_key = ${uuid(scope.key)} and config.document_id in (${text(documentId)}, '')
            and config.user_id = any(${texts(userIds)})
        ), '[]') as preferences`,
    ),
  );
  return { name: readText(record, "documentName"), preferences };
}
