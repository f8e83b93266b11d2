import type { OrganizationKey } from "../../database/keys.ts";
import { sql, uuid, uuids } from "../../database/sql.ts";
import { milliseconds } from "../../database/time.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";
import { KEY_DIGITS } from "../tenancy/tenancy-queries.ts";

/** Returns when each enabled organization was created, in milliseconds since the epoch, by its key of 32 digits. */
export async function selectEnabledSince(
  scope: CrossTenantScope,
  workspaceId: string,
  organizationKeys: readonly OrganizationKey[],
): Promise<Map<string, number>> {
  const rows = await scope.run(
    sql<{ key: OrganizationKey; createdAt: number }>`select ${KEY_DIGITS} as key,
        ${milliseconds(sql`created_at`)} as "createdAt"
      from organizations
      where workspace_id = ${uuid(workspaceId)} and organization_key = any(${uuids(organizationKeys)})
        and not disabled and deleted_at is null`,
  );
  return new Map(rows.map(({ key, createdAt }) => [key, createdAt]));
}
