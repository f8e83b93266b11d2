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
  return sql`(${identifier(alias)}.viewers is null or ${isViewer(scope, alias)}) and ${holdsContext(scope, alias)}`;
}

/** Returns the condition that the user is among those who see an annotation that is not public. */
export function isViewer(scope: AccessScope, alias: string): Sql {
  const viewers = sql`${identifier(alias)}.viewers`;
  return sql`(${viewers} -> 'userIds' ? ${userIdOf(scope)}
    or (${viewers} ? 'organization' and ${organizationGrant(scope)} is not null))`;
}

/** Returns a subquery, computed once for a statement: whether the organization has annotations that are not public. */
export function hasPrivateAnnotations(organizationKey: string): Sql {
  return sql`(select exists (select 1 from comment_annotations annotation
    where annotation.organization_key = ${uuid(organizationKey)} and annotation.viewers is not null))`;
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
