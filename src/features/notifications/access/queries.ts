import { comparableJson } from "../../../database/comparable-json.ts";
import { EMPTY, join, type Parameter, type Sql, sql, uuid } from "../../../database/sql.ts";
import { holdsContextInAny } from "../../access/context/queries.ts";
import { hasClosedDocuments, isInReadableDocument } from "../../access/documents-of-records/queries.ts";
import type { AccessScope } from "../../access/queries.ts";
import { hasPrivateAnnotations, isAnyHidden } from "../../access/visibility/queries.ts";

/**
 * Returns the condition that access rules do not hide a row of `notifications` from the user of the scopes, one for
 * each organization. With several organizations, the caller must have left out those with an unreadable document. With
 * `ifOpen`, no document or annotation is looked up: the statement must return no rows if `mayHide` is true.
 */
export function isSeen(seenBy: readonly AccessScope[], ifOpen: boolean): Sql {
  const isReadable = ifOpen ? sql`true` : isInReadable(seenBy, sql`notification.document_id`);
  return sql`${isReadable} and ${holdsContextInAny(seenBy, "notification")}
    and ${ifOpen ? sql`true` : isOfSeenAnnotations(seenBy)}`;
}

/**
 * Returns a subquery, computed once for a statement: whether the organization has documents, folders or annotations
 * that not everyone may see if documents are public by default.
 */
export function mayHide(organizationKey: string): Sql {
  return sql`(${hasClosedDocuments(organizationKey)} or ${hasPrivateAnnotations(organizationKey)})`;
}

/**
 * Reads an inbox, at first without looking up documents and annotations, if documents are public by default and access
 * contexts are not compared, and then with it if the organization may hide some. The condition of access, which most
 * organizations do not need, is long: PostgreSQL would prepare for it as long as it reads the page.
 */
export async function readIfOpen<Answer extends { mayHide: boolean }>(
  seenBy: readonly Pick<AccessScope, "defaultType" | "isContextEnabled">[],
  read: (ifOpen: boolean) => Promise<Answer>,
): Promise<Answer> {
  const [scope, ...others] = seenBy;
  if (scope?.defaultType !== "public" || scope.isContextEnabled || others.length > 0) return read(false);
  const answer = await read(true);
  return answer.mayHide ? read(false) : answer;
}

/** Returns the condition of isSeen() for a row `recipient` of an inbox. Reads the notification only if it matters. */
export function isSeenByRecipient(scope: AccessScope): Sql {
  return sql`${isInReadable([scope], sql`recipient.document_id`)} and ${isContentSeen(scope, false)}`;
}

/**
 * Returns the condition that neither the access context of the notification of a row `recipient` nor its annotations
 * hide it from the user. `ifOpen` is that of isSeen().
 */
export function isContentSeen(scope: AccessScope, ifOpen: boolean): Sql {
  const conditions = [holdsContextInAny([scope], "notification")];
  if (!ifOpen) conditions.push(isOfSeenAnnotations([scope]));
  const isHeld = sql`exists (select 1 as one from notifications notification
    where notification.organization_key = ${uuid(scope.organizationKey)} and notification.sequence = recipient.sequence
      and ${join(conditions, " and ")})`;
  if (scope.isContextEnabled) return isHeld;
  return ifOpen ? sql`true` : sql`(not ${hasPrivateAnnotations(scope.organizationKey)} or ${isHeld})`;
}

/** Returns the condition that no annotation of a row `notification` is hidden from the user in its organization. */
function isOfSeenAnnotations(seenBy: readonly AccessScope[]): Sql {
  const [first, ...others] = seenBy;
  if (!first) return sql`true`;
  if (others.length === 0) return isOfAnnotationsSeenBy(first, uuid(first.organizationKey));
  const key = sql`notification.organization_key`;
  const conditions = seenBy.map(
    (scope) => sql`(${key} = ${uuid(scope.organizationKey)} and ${isOfAnnotationsSeenBy(scope, key)})`,
  );
  return sql`(${join(conditions, " or ")})`;
}

/**
 * Only notifications of comments name annotations: one, or several in the activities of a digest. `organization` is the
 * key of the organization or, in a statement about several, the column that annotations are joined on.
 */
function isOfAnnotationsSeenBy(scope: AccessScope, organization: Parameter | Sql): Sql {
  // Pairs of access contexts, which annotations get and lose, have no index.
  const isAllPublic = scope.isContextEnabled ? EMPTY : sql`not ${hasPrivateAnnotations(scope.organizationKey)} or`;
  return sql`(${isAllPublic}
    strpos(notification.record::text, '"notificationSource":"comment"') = 0
    or not ${isAnyHidden(scope, organization, sql`annotation.id = any(${ANNOTATION_IDS}::text[])`)})`;
}

/**
 * IDs of the annotations of a row `notification`. The text of a JSON array of strings is that of an array in PostgreSQL
 * but for its brackets. Citus refuses a subquery about its elements.
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
