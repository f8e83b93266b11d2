import type { OrganizationKey } from "../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../database/page.ts";
import { integer, type Parameter, type Sql, sql, text, uuid } from "../../database/sql.ts";
import type { AccessOrganization, AccessScope } from "../access/access-queries.ts";
import type { CrossTenantScope } from "../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../tenancy/tenancy-queries.ts";
import type { Selection } from "./notification.ts";
import { isSeen } from "./notification-access-queries.ts";
import { isInInboxOrArchive, matchesScope } from "./notification-queries.ts";

/** The JSON text of a serialized notification: the timestamp, then the record as sent. */
export const SERIALIZED = {
  expression: sql`'{"timestamp":' || created_at || ',' || right(record::text, -1)`,
  columns: [],
};

/** Maximum number of readers in a serialized notification. */
const MAX_READERS = 100;

/** JSON text of a notification with the first users who have read it, whom the rows have as `readers`. */
const SERIALIZED_TO_ALL = {
  expression: sql`'{"timestamp":' || created_at || ',"readAtByUserId":' || readers || ',' || right(record::text, -1)`,
  columns: ["readers"],
};

/**
 * Returns the readers of the row `notification`, and those of them who have archived it. PostgreSQL evaluates this only
 * for the rows of the page.
 */
function readers(organization: Parameter | Sql): Sql {
  return sql`coalesce((
      select json_object_agg(user_id, read_at)::text || coalesce(',"archivedAtByUserId":'
        || json_object_agg(user_id, archived_at) filter (where archived_at is not null)::text, '')
      from (
        select recipient.user_id, recipient.read_at, recipient.archived_at from notification_recipients recipient
        where recipient.organization_key = ${organization} and recipient.sequence = notification.sequence
          and recipient.read_at is not null
        order by recipient.read_at limit ${integer(MAX_READERS)}
      ) as reader
    ), '{}')`;
}

/** JSON text of a notification with the state for the user whose `read_at` and `archived_at` the rows have. */
export const SERIALIZED_TO_USER = {
  expression: sql`'{"timestamp":' || created_at || ',"isRead":'
    || coalesce('true,"readAt":' || read_at, 'false') || coalesce(',"archivedAt":' || archived_at, '')
    || ',' || right(record::text, -1)`,
  columns: ["read_at", "archived_at"],
};

/**
 * Reads one page of a user's inbox or, without a user, of all matching notifications. `extra` is the access block of a
 * single organization. With several organizations all matches are sorted; they share one sequence, so the order is
 * total too.
 */
export async function selectNotificationPage(
  scope: AccessOrganization | (CrossTenantScope & { organizations: AccessOrganization[] }),
  selection: Selection,
  page: { order: "asc" | "desc"; pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  const { seenBy: user, ...filters } = selection;
  // Reads the inbox and the archive from an index each, unless the page is of some IDs.
  const isBoth = filters.archived === "include" && filters.notificationIds === undefined;
  const archived = isBoth ? "exclude" : filters.archived;
  const organization = "organizations" in scope ? scope.organizations.map(({ key }) => key) : scope.key;
  const organizations = "organizations" in scope ? scope.organizations : [scope];
  const seenBy = user ? organizations.map((each) => ({ organization: each, user })) : [];
  return selectPageOfRecords(scope, {
    source: pageSource(organization, { ...filters, archived, seenBy }),
    ...(isBoth && { otherSource: pageSource(organization, { ...filters, archived: "only", seenBy }) }),
    keys: ["created_at", "sequence"],
    keyType: "bigint",
    extra: typeof organization === "string" ? buildAccessBlock(organization, filters.documentId) : sql`null`,
    serialized: selection.userId === undefined ? SERIALIZED_TO_ALL : SERIALIZED_TO_USER,
    ...page,
  });
}

function pageSource(
  organization: OrganizationKey | OrganizationKey[],
  { seenBy, ...selection }: Omit<Selection, "seenBy"> & { seenBy: readonly AccessScope[] },
): Sql {
  const { userId, notificationIds, archived, ...place } = selection;
  const getKey = (row: Sql) => (typeof organization === "string" ? uuid(organization) : sql`${row}.organization_key`);
  if (userId === undefined) {
    return sql`from (
        select notification.*, ${readers(getKey(sql`notification`))} as readers from notifications notification
        where ${matchesScope(organization, selection, "notification")}
      ) as notification where true`;
  }
  // Citus rejects the subqueries of the condition beside a lateral one, unless the statement is about one organization.
  if (notificationIds !== undefined && seenBy.length === 1) {
    const matchesPlace = matchesScope(organization, { ...place, notificationIds }, "notification");
    return sql`from notifications notification cross join lateral (
        select read_at, archived_at from notification_recipients recipient
        where recipient.organization_key = ${getKey(sql`notification`)}
          and recipient.sequence = notification.sequence and recipient.user_id = ${text(userId)}
          and ${isInInboxOrArchive(archived)}
      ) as recipient where ${matchesPlace} and ${isSeen(seenBy)}`;
  }
  // The limit of one keeps the planner from starting with the organization's notifications.
  return sql`from notification_recipients recipient cross join lateral (
      select record, record_bytes from notifications notification
      where notification.organization_key = ${getKey(sql`recipient`)}
        and notification.sequence = recipient.sequence and ${isSeen(seenBy)} limit 1
    ) as notification where ${matchesScope(organization, selection, "recipient")}`;
}
