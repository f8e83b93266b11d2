import { comparableJson } from "../../database/comparable-json.ts";
import { EMPTY, join, type Parameter, type Sql, sql, uuid } from "../../database/sql.ts";
import { holdsContextInAny } from "../access/access-context-queries.ts";
import type { AccessScope } from "../access/access-queries.ts";
import { isInReadableDocument } from "../access/record-document-queries.ts";
import { hasPrivateAnnotations, isAnyHidden } from "../access/visibility-queries.ts";

/**
 * Returns the condition that access rules do not hide a row of `notifications` from the user of the scopes, one for
 * each organization. With several organizations, the caller must have left out those with an unreadable document.
 */
export function isSeen(seenBy: readonly AccessScope[]): Sql {
  return sql`${isInReadable(seenBy, sql`notification.document_id`)} and ${holdsContextInAny(seenBy, "notification")}
    and ${isOfSeenAnnotations(seenBy)}`;
}

/** Returns the condition of isSeen() for a row `recipient` of an inbox. Reads the notification only if it matters. */
export function isSeenByRecipient(scope: AccessScope): Sql {
  return sql`${isInReadable([scope], sql`recipient.document_id`)} and ${isContentSeen(scope)}`;
}

/**
 * Returns the condition that neither the access context of the notification of a row `recipient` nor its annotations
 * hide it from the user.
 */
export function isContentSeen(scope: AccessScope): Sql {
  const hasRecord = sql`exists (select 1 as one from notifications notification
    where notification.organization_key = ${uuid(scope.organization.key)} and notification.sequence = recipient.sequence
      and ${holdsContextInAny([scope], "notification")} and ${isOfSeenAnnotations([scope])})`;
  if (scope.organization.workspace.isContextEnabled) return hasRecord;
  return sql`(not ${hasPrivateAnnotations(scope.organization.key)} or ${hasRecord})`;
}

/** Returns the condition that no annotation of a row `notification` is hidden from the user in its organization. */
function isOfSeenAnnotations(seenBy: readonly AccessScope[]): Sql {
  const [first, ...others] = seenBy;
  if (!first) return sql`true`;
  if (others.length === 0) return isOfAnnotationsSeenBy(first, uuid(first.organization.key));
  const key = sql`notification.organization_key`;
  const conditions = seenBy.map(
    (scope) => sql`(${key} = ${uuid(scope.organization.key)} and ${isOfAnnotationsSeenBy(scope, key)})`,
  );
  return sql`(${join(conditions, " or ")})`;
}

/**
 * Only notifications of comments name annotations: one, or several in the activities of a digest. `organization` is the
 * key of the organization or, in a statement about several, the column that annotations are joined on.
 */
function isOfAnnotationsSeenBy(scope: AccessScope, organization: Parameter | Sql): Sql {
  // Pairs of access contexts, which annotations get and lose, have no index.
  const isAllPublic = scope.organization.workspace.isContextEnabled
    ? EMPTY
    : sql`not ${hasPrivateAnnotations(scope.organization.key)} or`;
  return sql`(${isAllPublic}
    strpos(notification.record::text, '"notificationSource":"comment"') = 0
    or not ${isAnyHidden(scope, sql`annotation.id = any(${ANNOTATION_IDS}::text[])`, organization)})`;
}

/**
 * IDs of the annotations of a row `notification`. The text of a JSON array of strings is that of an array in PostgreSQL
 * but for its brackets. Citus rejects a subquery about its elements.
 */
const ANNOTATION_IDS = sql`(
  select ('{' || trim(both '[]' from (
      jsonb_path_query_array(source.data, '$.annotationId ? (@.type() == "string")')
      || jsonb_path_query_array(source.data, '$.activities[*].annotationId ? (@.type() == "string")'))::text)
    || '}')
  from (select ${comparableJson(sql`notification.record::text`)} -> 'notificationSourceData' as data offset 0) as source
)`;

function isInReadable([scope, ...others]: readonly AccessScope[], documentId: Sql): Sql {
  return scope && others.length === 0 ? isInReadableDocument(scope, documentId) : sql`true`;
}
