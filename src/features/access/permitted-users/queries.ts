import type { AccessRole } from "../../../contract/end-user.ts";
import { sql, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import type { OrganizationScope } from "../organization-scope.ts";
import { roleOfDocument } from "../queries.ts";

/** User and document for which a role is asked. */
export interface UserInDocument {
  userId: string;
  documentId: string;
}

/** Returns the roles of users on documents, in the order of the pairs, in one statement; null denies access. */
export async function selectRoles(
  database: Queryable,
  scope: OrganizationScope,
  pairs: readonly UserInDocument[],
): Promise<(AccessRole | null)[]> {
  const user = { userId: sql`document.user_id`, grants: [] };
  const rows = await database.run(
    sql<{ role: AccessRole | null }>`select ${roleOfDocument({ ...scope, user }, "document")} as role
      from (
        select asked.user_id, asked.document_id, asked.place, stored.access_type, stored.folder_id, stored.disabled
        from unnest(${texts(pairs.map(({ userId }) => userId))}, ${texts(pairs.map(({ documentId }) => documentId))})
          with ordinality as asked (user_id, document_id, place)
        left join documents stored on stored.organization_key = ${uuid(scope.organizationKey)}
          and stored.document_id = asked.document_id
      ) as document
      order by place`,
  );
  return rows.map(({ role }) => role);
}
