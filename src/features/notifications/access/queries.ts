import { join, type Sql, sql, uuid } from "../../../database/sql.ts";
import { holdsContextInAny } from "../../access/context/queries.ts";
import { isInReadableDocument } from "../../access/documents-of-records/queries.ts";
import type { AccessScope } from "../../access/queries.ts";

/**
 * Returns the condition that access rules do not hide a row of `notifications` from the user of the scopes, one for
 * each organization. With several organizations, the caller must have left out those with an unreadable document. With
 * `ifOpen`, no document is looked up: the statement must return no rows if the organization has closed documents.
 */
export function isSeen(seenBy: readonly AccessScope[], ifOpen: boolean): Sql {
  const isReadable = ifOpen ? sql`true` : isInReadable(seenBy, sql`notification.document_id`);
  return sql`${isReadable} and ${holdsContextInAny(seenBy, "notification")}`;
}

/**
 * Reads an inbox, at first without looking up documents if they are public by default, and then with it if documents of
 * the organization are closed. The condition of access, which most organizations do not need, is long: PostgreSQL would
 * prepare for it as long as it reads the page.
 */
export async function readIfOpen<Answer extends { hasClosed: boolean }>(
  seenBy: readonly Pick<AccessScope, "defaultType">[],
  read: (ifOpen: boolean) => Promise<Answer>,
): Promise<Answer> {
  const [scope, ...others] = seenBy;
  if (scope?.defaultType !== "public" || others.length > 0) return read(false);
  const answer = await read(true);
  return answer.hasClosed ? read(false) : answer;
}

/** Returns the same condition for a row `recipient` of an inbox. Reads the notification only for access contexts. */
export function isSeenByRecipient(scope: AccessScope): Sql {
  const conditions = [isInReadable([scope], sql`recipient.document_id`)];
  if (scope.isContextEnabled) conditions.push(isContextHeld(scope));
  return join(conditions, " and ");
}

/** Returns the condition that the user holds the pairs of the notification of a row `recipient`. */
export function isContextHeld(scope: AccessScope): Sql {
  const organization = uuid(scope.organizationKey);
  return sql`exists (select 1 as one from notifications notification
    where notification.organization_key = ${organization} and notification.sequence = recipient.sequence
      and ${holdsContextInAny([scope], "notification")})`;
}

function isInReadable([scope, ...others]: readonly AccessScope[], documentId: Sql): Sql {
  return scope && others.length === 0 ? isInReadableDocument(scope, documentId) : sql`true`;
}
