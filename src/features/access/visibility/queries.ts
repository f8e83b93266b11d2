import { identifier, type Sql, sql, texts, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { holdsContext } from "../context/queries.ts";
import { isGrantOn, ORGANIZATION } from "../grants/queries.ts";
import { type AccessScope, organizationGrant, userIdOf } from "../queries.ts";

/**
 * Returns the condition that the visibility and the access context of an annotation let the user see it. `alias` names
 * a row with `viewers` and `access_fields`. A public annotation without pairs costs no look-up.
 */
export function isAnnotationVisible(scope: AccessScope, alias: string): Sql {
  const viewers = sql`${identifier(alias)}.viewers`;
  return sql`(${viewers} is null or ${viewers} -> 'userIds' ? ${userIdOf(scope)}
      or (${viewers} ? 'organization' and ${organizationGrant(scope)} is not null))
    and ${holdsContext(scope, alias)}`;
}

/** Returns which of the users have a stored permission on the organization. */
export async function selectOrganizationUsers(
  database: Queryable,
  organizationKey: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await database.run(
    sql<{ userId: string }>`select grants.user_id as "userId" from grants
      where ${isGrantOn(uuid(organizationKey), ORGANIZATION)} and grants.user_id = any(${texts(userIds)})`,
  );
  return new Set(rows.map(({ userId }) => userId));
}
