import type { AccessRole } from "../../../contract/end-user.ts";
import { sql, texts } from "../../../database/sql.ts";
import type { AccessOrganization } from "../access-queries.ts";
import { buildDocumentRole, documentRows } from "../document-access-queries.ts";

/** User and document for which a role is asked. */
export interface UserInDocument {
  userId: string;
  documentId: string;
}

/** Returns the roles of users on documents, in the order of the pairs, in one statement; null denies access. */
export async function selectRoles(
  organization: AccessOrganization,
  pairs: readonly UserInDocument[],
): Promise<(AccessRole | null)[]> {
  const user = { userId: sql`document.user_id`, grants: [] };
  const asked = sql`unnest(${texts(pairs.map(({ userId }) => userId))},
    ${texts(pairs.map(({ documentId }) => documentId))}) with ordinality as asked (user_id, document_id, place)`;
  const rows = await organization.run(
    sql<{ role: AccessRole | null }>`select ${buildDocumentRole({ organization, user }, "document")} as role
      from ${documentRows(organization.key, asked)}
      order by place`,
  );
  return rows.map(({ role }) => role);
}
