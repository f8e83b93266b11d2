import type { Queryable } from "../../../database/database.ts";
import { selectPageOfRecords } from "../../../database/page.ts";
import { OBSTACLE, type Obstacle } from "../../organizations/queries.ts";
import { EXPORT_PAGE_SIZE, type UserPage, type UserPlace } from "../../user-data/user-data.ts";
import type { Level } from "./notification-config.ts";

/** What was set for the user at one level; a channel that was not set is null. */
export interface SetConfig {
  /** Empty for the organization's level. */
  documentId: string;
  inbox: Level | null;
  email: Level | null;
  slack: Level | null;
}

/** What was set for the user, in no order. */
export async function selectConfigs(
  database: Queryable,
  organizationKey: string,
  userId: string,
  documentIds: string[],
): Promise<{ configs: SetConfig[]; obstacle: Obstacle | null }> {
  const { rows } = await database.query<(SetConfig | { documentId: null }) & { obstacle: Obstacle | null }>(
    `select beside.obstacle, config.document_id as "documentId", inbox, email, slack
     from (select ${OBSTACLE} as obstacle) as beside
     left join notification_configs config
       on config.organization_key = $1 and config.document_id = any($3) and config.user_id = $2`,
    [organizationKey, userId, documentIds],
  );
  return { configs: rows.filter((row) => row.documentId !== null), obstacle: rows[0]?.obstacle ?? null };
}

interface Preferences {
  userIds: string[];
  /** Empty for the organization's level. */
  documentIds: string[];
  config: { inbox?: string; email?: string; slack?: string };
}

/** Channels that are not given stay. In the order of the keys, so that two calls never wait in a circle. */
export async function writeConfigs(
  transaction: Queryable,
  organizationKey: string,
  { userIds, documentIds, config }: Preferences,
): Promise<void> {
  await transaction.query(
    `insert into notification_configs (organization_key, document_id, user_id, inbox, email, slack, written_at)
     select $1, document_id, user_id, $4, $5, $6, floor(extract(epoch from statement_timestamp()) * 1000)::bigint
     from unnest($2::text[]) as document_id, unnest($3::text[]) as user_id
     order by document_id, user_id
     on conflict (organization_key, document_id, user_id) do update set
       inbox = coalesce(excluded.inbox, notification_configs.inbox),
       email = coalesce(excluded.email, notification_configs.email),
       slack = coalesce(excluded.slack, notification_configs.slack),
       written_at = excluded.written_at`,
    [organizationKey, documentIds, userIds, config.inbox ?? null, config.email ?? null, config.slack ?? null],
  );
}

/** What was set for the user, by document; the organization's level has an empty id. */
export function selectUserPage(
  database: Queryable,
  { organizationKey, userId }: UserPlace,
  after: (string | number)[] | undefined,
): Promise<UserPage> {
  return selectPageOfRecords(database, {
    source: `from (
      select document_id, 0 as record_bytes,
        json_build_object('documentId', document_id, 'inbox', inbox, 'email', email, 'slack', slack) as record
      from notification_configs where organization_key = $1 and user_id = $2
    ) as config where true`,
    keys: ["document_id"],
    order: "asc",
    values: [organizationKey, userId],
    beside: OBSTACLE,
    pageSize: EXPORT_PAGE_SIZE,
    after,
  });
}
