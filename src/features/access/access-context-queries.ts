import { identifier, join, type Sql, sql, texts, uuid } from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { type AccessScope, buildUserPairs } from "./access-queries.ts";
import { IS_EFFECTIVE } from "./effective-grant-queries.ts";

/**
 * Returns the condition that the user holds every pair of a record's access context. `alias` names a row with
 * `access_fields`. A record without pairs costs no look-up.
 */
export function holdsContext(scope: AccessScope, alias: string): Sql {
  if (!scope.organization.workspace.isContextEnabled) return sql`true`;
  const row = identifier(alias);
  return sql`(${row}.access_fields is null or ${row}.access_fields <@ ${buildUserPairs(scope)})`;
}

/** Returns the condition that the user holds the pairs of a record in its organization, which is one of these. */
export function holdsContextInAny(scopes: readonly AccessScope[], alias: string): Sql {
  if (!scopes.some(({ organization }) => organization.workspace.isContextEnabled)) return sql`true`;
  const conditions = scopes.map(
    (scope) =>
      sql`(${identifier(alias)}.organization_key = ${uuid(scope.organization.key)} and ${holdsContext(scope, alias)})`,
  );
  return sql`(${join(conditions, " or ")})`;
}

/** Returns the pairs of the users' stored grants, by user, for those who hold any. */
export async function selectAccessFields(
  scope: OrganizationScope,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await scope.run(
    sql<{ userId: string; accessFields: string[] }>`select grants.user_id as "userId",
        array_agg(grants.resource_id order by grants.resource_id) as "accessFields"
      from grants
      where grants.organization_key = ${uuid(scope.key)} and grants.user_id = any(${texts(userIds)})
        and grants.resource_type = 'context' and ${IS_EFFECTIVE}
      group by grants.user_id`,
  );
  return new Map(rows.map(({ userId, accessFields }) => [userId, accessFields]));
}
