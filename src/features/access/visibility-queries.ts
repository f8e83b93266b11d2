import type { OrganizationKey } from "../../database/keys.ts";
import { EMPTY, identifier, type Parameter, type Sql, sql, text, texts, uuid } from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { holdsContext } from "./access-context-queries.ts";
import {
  type AccessOrganization,
  type AccessScope,
  type AccessUser,
  buildUserId,
  hasOrganizationGrant,
} from "./access-queries.ts";
import { isGrantOn, ORGANIZATION } from "./effective-grant-queries.ts";

/**
 * Returns the condition that the visibility and the access context of an annotation let the user see it. `alias` names
 * a row with `viewers` and `access_fields`. A public annotation without pairs costs no look-up.
 */
export function isAnnotationVisible(scope: AccessScope, alias: string): Sql {
  return sql`(${identifier(alias)}.viewers is null or ${isViewer(scope, alias)}) and ${holdsContext(scope, alias)}`;
}

/** Returns the condition that the user is among those who see an annotation that is not public. */
function isViewer(scope: AccessScope, alias: string): Sql {
  const viewers = sql`${identifier(alias)}.viewers`;
  return sql`(${viewers} -> 'userIds' ? ${buildUserId(scope)}
    or (${viewers} ? 'organization' and ${hasOrganizationGrant(scope)}))`;
}

/**
 * Returns the condition that an annotation is hidden from the user by its visibility or its access context. A deleted
 * annotation that was not public, or had pairs while access contexts are compared, is hidden from all users, until its
 * ID is used again. `isNamed` is a condition of a row `annotation` with `id` and `document_id`. `organization` is a
 * column with the key in a statement about several organizations.
 */
export function isAnyHidden(
  scope: AccessScope,
  isNamed: Sql,
  organization: Parameter | Sql = uuid(scope.organization.key),
): Sql {
  const { isContextEnabled } = scope.organization.workspace;
  const isLimited = isContextEnabled
    ? sql`(annotation.viewers is not null or annotation.access_fields is not null)`
    : sql`annotation.viewers is not null`;
  return sql`(exists (select 1 as one from comment_annotations annotation
      where annotation.organization_key = ${organization} and ${isLimited} and ${isNamed}
        and not (${isAnnotationVisible(scope, "annotation")}))
    or exists (select 1 as one from private_annotation_tombstones annotation
      left join comment_annotations present
        on present.organization_key = ${organization} and present.id = annotation.id
      where annotation.organization_key = ${organization} and ${isNamed} and present.id is null
        ${isContextEnabled ? EMPTY : sql`and annotation.is_private`}))`;
}

/** Returns whether the user sees all of these annotations of a document: nothing hides them. */
export async function seesAnnotations(
  organization: AccessOrganization,
  user: AccessUser,
  documentId: string,
  annotationIds: readonly string[],
): Promise<boolean> {
  const isNamed = sql`annotation.document_id = ${text(documentId)} and annotation.id = any(${texts(annotationIds)})`;
  const [row] = await organization.run(
    sql<{
      isSeen: boolean;
    }>`select not ${isAnyHidden({ organization, user }, isNamed)} as "isSeen"`,
  );
  return row?.isSeen ?? false;
}

/** Returns a subquery, computed once for a statement: whether isAnyHidden() may be true in the organization. */
export function hasPrivateAnnotations(organizationKey: OrganizationKey): Sql {
  const organization = uuid(organizationKey);
  return sql`(select exists (select 1 from comment_annotations annotation
        where annotation.organization_key = ${organization} and annotation.viewers is not null)
      or exists (select 1 from private_annotation_tombstones tombstone
        where tombstone.organization_key = ${organization}))`;
}

/** Returns which of the users have a stored permission on the organization. */
export async function selectOrganizationUsers(
  scope: OrganizationScope,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await scope.run(
    sql<{ userId: string }>`select grants.user_id as "userId" from grants
      where ${isGrantOn(uuid(scope.key), ORGANIZATION)} and grants.user_id = any(${texts(userIds)})`,
  );
  return new Set(rows.map(({ userId }) => userId));
}
