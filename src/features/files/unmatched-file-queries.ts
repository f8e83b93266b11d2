import { sql, texts, uuid } from "../../database/sql.ts";
import type { StoredOrganization } from "../tenancy/organization-scope.ts";

/** Returns which of the IDs are those of files of the organization. */
export async function selectKnownFiles(scope: StoredOrganization, ids: string[]): Promise<string[]> {
  const rows = await scope.run(
    sql<{ id: string }>`select id from files where organization_key = ${uuid(scope.key)} and id = any(${texts(ids)})`,
  );
  return rows.map(({ id }) => id);
}
