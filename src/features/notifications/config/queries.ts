import type { Queryable } from "../../../database/database.ts";
import { OBSTACLE, type Obstacle } from "../../organizations/queries.ts";

interface Asked {
  /** Empty for the organization's level. */
  documentId: string;
  metadata: object;
}

/** The JSON array of what is in force for the user, in the order asked. */
export async function selectConfigs(
  database: Queryable,
  organizationKey: string,
  userId: string,
  asked: Asked[],
): Promise<{ records: string; obstacle: Obstacle | null }> {
  const { rows } = await database.query<{ records: string; obstacle: Obstacle | null }>(
    `select ${OBSTACLE} as obstacle, '[' || string_agg(
       '{"config":{"inbox":"' || coalesce(own.inbox, general.inbox, 'ALL')
         || '","email":"' || coalesce(own.email, general.email, 'ALL')
         || coalesce('","slack":"' || coalesce(own.slack, general.slack), '')
         || '"},"metadata":' || asked.metadata || '}',
       ',' order by asked.place
     ) || ']' as records
     from unnest($3::text[], $4::text[]) with ordinality as asked (document_id, metadata, place)
     left join notification_configs own on own.organization_key = $1
       and own.document_id = asked.document_id and own.user_id = $2
     left join notification_configs general on general.organization_key = $1
       and general.document_id = '' and general.user_id = $2`,
    [
      organizationKey,
      userId,
      asked.map(({ documentId }) => documentId),
      asked.map(({ metadata }) => JSON.stringify(metadata)),
    ],
  );
  return { records: rows[0]?.records ?? "[]", obstacle: rows[0]?.obstacle ?? null };
}

interface Preferences {
  userIds: string[];
  /** Empty for the organization's level. */
  documentIds: string[];
  config: { inbox?: string; email?: string; slack?: string };
}

/** Channels that are not given stay. In the order of the keys, so that two calls never wait for each other in a circle. */
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
