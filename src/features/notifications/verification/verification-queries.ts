import { bigints, type Sql, sql, texts, unprepared, uuid } from "../../../database/sql.ts";
import type { Queryable } from "../../../database/statement.ts";
import { documentRows, roleOfDocument } from "../../access/access-queries.ts";
import type { OrganizationScope } from "../../access/organization-scope.ts";
import { removedFromInboxes } from "../delivery/notification-delivery-queries.ts";
import { lockRecipients } from "../notification-queries.ts";

/** Returns the FROM of a recipient's document, the row `document`, for the recipients of notifications. */
function fromRecipients({ organizationKey }: OrganizationScope, sequences: readonly number[]): Sql {
  const asked = sql`(select recipient.sequence, recipient.user_id, recipient.document_id
      from notification_recipients recipient
      where recipient.organization_key = ${uuid(organizationKey)} and recipient.sequence = any(${bigints(sequences)})
    ) as asked`;
  return sql`from ${documentRows(organizationKey, asked)}`;
}

/** Returns the expression for the role of the recipient in the row `document`; null denies access. */
function roleOfRecipient(scope: OrganizationScope): Sql {
  return roleOfDocument({ ...scope, user: { userId: sql`document.user_id`, grants: [] } }, "document");
}

/** Returns which of the notifications have a recipient who can read their document. */
export async function selectReadable(
  transaction: Queryable,
  scope: OrganizationScope,
  sequences: readonly number[],
): Promise<number[]> {
  const rows = await transaction.run(
    unprepared(
      sql<{ sequence: number }>`select distinct sequence
        ${fromRecipients(scope, sequences)}
        where ${roleOfRecipient(scope)} is not null`,
    ),
  );
  return rows.map(({ sequence }) => sequence);
}

/** Removes locked notifications from the inboxes of those who cannot read their document. */
export async function removeDeniedRecipients(
  transaction: Queryable,
  scope: OrganizationScope,
  notifications: { sequence: number }[],
): Promise<void> {
  if (notifications.length === 0) return;
  const sequences = notifications.map(({ sequence }) => sequence);
  await lockRecipients(transaction, scope.organizationKey, sequences);
  const denied = await transaction.run(
    unprepared(
      sql<{ sequence: number; userId: string }>`select sequence, user_id as "userId"
        ${fromRecipients(scope, sequences)}
        where ${roleOfRecipient(scope)} is null`,
    ),
  );
  if (denied.length === 0) return;
  const input = sql`unnest(
    ${bigints(denied.map(({ sequence }) => sequence))}, ${texts(denied.map(({ userId }) => userId))})`;
  const isDenied = sql`existing.organization_key = ${uuid(scope.organizationKey)}
    and existing.sequence = denied.sequence and existing.user_id = denied.user_id`;
  await transaction.run(
    unprepared(
      sql`with denied as materialized (select * from ${input} as denied (sequence, user_id)),
        ${removedFromInboxes(sql`denied`, isDenied)}`,
    ),
  );
}
