import type { OrganizationKey } from "../../../database/keys.ts";
import { type PageOfRecords, selectPageOfRecords } from "../../../database/page.ts";
import { EMPTY, integer, type Sql, sql, uuid } from "../../../database/sql.ts";
import type { OrganizationScope } from "../../tenancy/organization-scope.ts";
import { type AccessBlock, buildAccessBlock } from "../../tenancy/tenancy-queries.ts";
import { matchesScope } from "../notification-queries.ts";

/** Number up to which recipients are counted: a notification to all users of an organization has one for each. */
export const MAX_COUNTED = 1_000;
const SHOWN_RECIPIENTS = 3;

/** The JSON text of a notification: the timestamp and the recipients, then the record as sent. */
const SERIALIZED = {
  expression: sql`'{"timestamp":' || created_at || ',"recipients":[' || recipients
    || '],"recipientCount":' || recipient_count || ',"readCount":' || read_count || ',' || right(record::text, -1)`,
  columns: ["created_at", "recipients", "recipient_count", "read_count"],
};

/**
 * Reads one page of the notifications of an organization. No index has them by their time, so they are ordered by their
 * sequence, which is the order in which they were added.
 */
export function selectOrganizationNotificationPage(
  scope: OrganizationScope,
  filters: { notificationIds: string[] | undefined },
  page: { pageSize: number; after: number[] | undefined },
): Promise<PageOfRecords<AccessBlock, number>> {
  return selectPageOfRecords(scope, {
    source: sql`from (
        select notification.*, ${recipients(scope.key)} as recipients,
          ${count(scope.key)} as recipient_count,
          ${count(scope.key, sql`and recipient.read_at is not null`)} as read_count
        from notifications notification where ${matchesScope(scope.key, filters, "notification")}
      ) as notification where true`,
    keys: ["sequence"],
    keyType: "bigint",
    order: "desc",
    extra: buildAccessBlock(scope.key, undefined),
    serialized: SERIALIZED,
    ...page,
  });
}

/** Condition on the recipients of the row `notification`. */
function matchesRecipient(organizationKey: OrganizationKey): Sql {
  return sql`recipient.organization_key = ${uuid(organizationKey)} and recipient.sequence = notification.sequence`;
}

/** Returns the JSON texts of the first recipients of the row `notification`, separated by commas. */
function recipients(organizationKey: OrganizationKey): Sql {
  return sql`coalesce((
      select string_agg(
        '{"user":' || coalesce(shown.record, '{"userId":' || to_json(shown.user_id)::text || '}')
          || coalesce(',"readAt":' || shown.read_at, '') || '}', ',' order by shown.user_id
      )
      from (
        select recipient.user_id, recipient.read_at, users.record::text as record
        from notification_recipients recipient
        left join users on users.organization_key = ${uuid(organizationKey)} and users.user_id = recipient.user_id
        where ${matchesRecipient(organizationKey)} order by recipient.user_id limit ${integer(SHOWN_RECIPIENTS)}
      ) as shown
    ), '')`;
}

/** Returns the number of recipients of the row `notification` that meet the condition. */
function count(organizationKey: OrganizationKey, condition = EMPTY): Sql {
  return sql`(select count(*) from (
      select 1 as one from notification_recipients recipient
      where ${matchesRecipient(organizationKey)} ${condition} limit ${integer(MAX_COUNTED)}
    ) as counted)`;
}
