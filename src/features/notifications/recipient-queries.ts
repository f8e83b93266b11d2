import { bigints, EMPTY, integer, sql, text, texts, unprepared, uuid } from "../../database/sql.ts";
import type { OrganizationScope } from "../tenancy/organization-scope.ts";
import { isInInboxOrArchive } from "./notification-queries.ts";

/** Notifications by their IDs or their positions. */
export type DeliveredMatch = { ids: readonly string[] } | { sequences: readonly number[] };

/** A notification and the users who have it in the inbox or the archive. */
export interface Delivered {
  documentId: string;
  /** Pairs of the access context; null if there are none. */
  accessFields: string[] | null;
  /** Users and when they have read and archived it, in milliseconds since the epoch; null if they have not. */
  inboxes: { userId: string; readAt: number | null; archivedAt: number | null }[];
}

/** Reads notifications with at most `limit` of the inboxes that have them, or only that of a user, by their IDs. */
export async function selectDelivered(
  scope: OrganizationScope,
  match: DeliveredMatch,
  { userId, limit }: { userId: string | undefined; limit: number },
): Promise<Map<string, Delivered>> {
  const organization = uuid(scope.key);
  const isMatch =
    "ids" in match
      ? sql`notification.id = any(${texts(match.ids)})`
      : sql`notification.sequence = any(${bigints(match.sequences)})`;
  const rows = await scope.run(
    unprepared(
      sql<Delivered & { id: string }>`select id, document_id as "documentId", access_fields as "accessFields",
          coalesce((
            select json_agg(json_build_object(
              'userId', inbox.user_id, 'readAt', inbox.read_at, 'archivedAt', inbox.archived_at)) from (
              select recipient.user_id, recipient.read_at, recipient.archived_at
              from notification_recipients recipient
              where recipient.organization_key = ${organization} and recipient.sequence = notification.sequence
                and ${isInInboxOrArchive("include")}
                ${userId === undefined ? EMPTY : sql`and recipient.user_id = ${text(userId)}`}
              order by recipient.user_id limit ${integer(limit)}
            ) as inbox
          ), '[]') as inboxes
        from notifications notification
        where notification.organization_key = ${organization} and ${isMatch}
        order by created_at, sequence`,
    ),
  );
  return new Map(rows.map(({ id, ...delivered }) => [id, delivered]));
}
