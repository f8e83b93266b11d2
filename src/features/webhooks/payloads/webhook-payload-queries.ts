import type { OrganizationKey } from "../../../database/keys.ts";
import { oneRow, type Sql, sql, text, texts, uuid } from "../../../database/sql.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";

/** Returns the name of a document; undefined if it has none. */
export async function selectDocumentName(scope: OrganizationScope, documentId: string): Promise<string | undefined> {
  const { name } = await scope.run(
    oneRow(sql<{ name: string | null }>`select (${selectName(scope.key, documentId)}) as name`),
  );
  return name ?? undefined;
}

function selectName(organizationKey: OrganizationKey, documentId: string): Sql {
  return sql`select documents.record ->> 'documentName' from documents
    where documents.organization_key = ${uuid(organizationKey)} and documents.document_id = ${text(documentId)}`;
}

/** Returns the name and address of a user of the organization, as far as they are known. */
export async function selectUser(
  scope: OrganizationScope,
  userId: string,
): Promise<{ userId: string; name?: string; email?: string }> {
  const { found } = await scope.run(
    oneRow(
      sql<{ found: { name: string | null; email: string | null } | null }>`select (
          select json_build_object('name', users.record ->> 'name', 'email', users.record ->> 'email') from users
          where users.organization_key = ${uuid(scope.key)} and users.user_id = ${text(userId)}
        ) as found`,
    ),
  );
  return { userId, ...(found?.name && { name: found.name }), ...(found?.email && { email: found.email }) };
}

/** A preference that a user has set, for a document or, with an empty ID, for the organization. */
export interface SetPreference {
  userId: string;
  documentId: string;
  inbox: string | null;
  email: string | null;
}

/** Returns the name of a document, and the preferences of users that are set for it or the organization. */
export function selectNameAndPreferences(
  scope: OrganizationScope,
  documentId: string,
  userIds: readonly string[],
): Promise<{ name: string | null; preferences: SetPreference[] }> {
  return scope.run(
    oneRow(
      sql<{ name: string | null; preferences: SetPreference[] }>`select (
          ${selectName(scope.key, documentId)}
        ) as name, coalesce((
          select json_agg(json_build_object('userId', config.user_id, 'documentId', config.document_id,
            'inbox', config.inbox, 'email', config.email) order by config.user_id)
          from notification_configs config
          where config.organization_key = ${uuid(scope.key)} and config.document_id in (${text(documentId)}, '')
            and config.user_id = any(${texts(userIds)})
        ), '[]') as preferences`,
    ),
  );
}
