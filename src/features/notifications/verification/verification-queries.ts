import { bigints, type Sql, sql, texts, unprepared, uuid } from "../../../database/sql.ts";
import type { AccessOrganization } from "../../access/access-queries.ts";
import { buildDocumentRole, documentRows } from "../../access/document-access-queries.ts";
import type { InTransaction, OrganizationScope } from "../../tenancy/organization-scope.ts";
import { removedFromInboxes } from "../delivery/notification-delivery-queries.ts";
import { lockRecipients } from "../notification-queries.ts";

/** Returns the FROM of a recipient's document, the row `document`, for the recipients of notifications. */
function fromRecipients({ key }: OrganizationScope, sequences: readonly number[]): Sql {
  const asked = sql`(select recipient.sequence, recipient.user_id, recipient.document_id
      from notification_recipients recipient
      where recipient.organization_key = ${uuid(key)} and recipient.sequence = any(${bigints(sequences)})
    ) as asked`;
  return sql`from ${documentRows(key, asked)}`;
}

/** Returns the expression for the role of the recipient in the row `document`; null denies access. */
function buildRecipientRole(organization: AccessOrganization): Sql {
  return buildDocumentRole({ organization, user: { userId: sql`document.user_id`, grants: [] } }, "document");
}

/** Returns which of the notifications have a recipient who can read their document. */
export async function selectReadable(scope: AccessOrganization, sequences: readonly number[]): Promise<number[]> {
  const rows = await scope.run(
    unprepared(
      sql<{ sequence: number }>`select distinct sequence
        ${fromRecipients(scope, sequences)}
        where ${buildRecipientRole(scope)} is not null`,
    ),
  );
  return rows.map(({ sequence }) => sequence);
}

/** Removes locked notifications from the inboxes of those who cannot read their document. */
export async function removeDeniedRecipients(
  scope: InTransaction<AccessOrganization>,
  notifications: { sequence: number }[],
): Promise<void> {
  if (notifications.length === 0) return;
  const sequences = notifications.map(({ sequence }) => sequence);
  await lockRecipients(scope, sequences);
  const denied = await scope.run(
    unprepared(
      sql<{ sequence: number; userId: string }>`select sequence, user_id as "userId"
        ${fromRecipients(scope, sequences)}
        where ${buildRecipientRole(scope)} is null`,
    ),
  );
  if (denied.length === 0) return;
  const input = sql`unnest(
    ${bigints(denied.map(({ sequence }) => sequence))}, ${texts(denied.map(({ userId }) => userId))})`;
  const isDenied = sql`existing.organization_key = ${uuid(scope.key)}
    and existing.sequence = denied.sequence and existing.user_id = denied.user_id`;
  await scope.run(
    unprepared(
      sql`with denied as materialized (select * from ${input} as denied (sequence, user_id)),
        ${removedFromInboxes(sql`denied`, isDenied)}`,
    ),
  );
}
