import type { Queryable } from "../../../database/database.ts";
import type { PurgeScope } from "../../erasure/user-data-kind.ts";
import { userPages } from "../../erasure/users/queries.ts";

/** With their recipients, of whom one may have very many. */
const CHUNK_ROWS = 200;

/** Locks the next notifications of the users, but for those that somebody has locked; returns their sequences. */
export async function lockOfUsers(
  transaction: Queryable,
  { organizationKey, userIds, acceptedAt }: PurgeScope,
): Promise<number[]> {
  const { rows } = await transaction.unprepared<{ sequence: number }>(
    `select sequence from notifications
     where organization_key = $1 and user_id = any($2) and created_at <= $3
     limit ${CHUNK_ROWS} for update skip locked`,
    [organizationKey, userIds, acceptedAt],
  );
  return rows.map(({ sequence }) => sequence);
}

export async function existOfUsers(
  database: Queryable,
  { organizationKey, userIds, acceptedAt }: PurgeScope,
): Promise<boolean> {
  const { rows } = await database.unprepared<{ exist: boolean }>(
    `select exists (select from notifications
       where organization_key = $1 and user_id = any($2) and created_at <= $3) as exist`,
    [organizationKey, userIds, acceptedAt],
  );
  return rows[0]?.exist === true;
}

/** What the user did that others were notified of, oldest first. */
export const selectUserPage = userPages({
  source: `from notifications where organization_key = $1 and user_id = $2`,
  keys: ["created_at", "sequence"],
});

/** What has reached the user, oldest first, read or not. */
export const selectReceivedPage = userPages({
  source: `from (
    select organization_key, sequence, created_at from notification_recipients
    where organization_key = $1 and user_id = $2 and in_list
    union all
    select organization_key, sequence, created_at from notification_recipients
    where organization_key = $1 and user_id = $2 and not in_list
  ) as recipient cross join lateral (
    select record, record_bytes from notifications
    where organization_key = $1 and sequence = recipient.sequence limit 1
  ) as notification where true`,
  keys: ["created_at", "sequence"],
});
