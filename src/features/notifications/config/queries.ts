import type { Queryable } from "../../../database/database.ts";
import { NOW_MS } from "../../../database/now.ts";
import { userPages } from "../../erasure/users/queries.ts";
import { ACCESS_BLOCK, type AccessBlock } from "../../tenancy/queries.ts";
import type { Level } from "./notification-config.ts";

/** What was set for the user at one level; a channel that was not set is undefined. */
export interface SetConfig {
  /** Empty for the organization's level. */
  documentId: string;
  inbox: Level | undefined;
  email: Level | undefined;
  slack: Level | undefined;
}

/** What was set for the user, in no order. One text of it is half the work of as many rows, and a third of JSON. */
export async function selectConfigs(
  database: Queryable,
  organizationKey: string,
  userId: string,
  documentIds: string[],
): Promise<{ configs: SetConfig[]; block: AccessBlock | null }> {
  const { configs, block } = await database.selectOne<{ configs: string | null; block: AccessBlock | null }>(
    `select ${ACCESS_BLOCK} as block, (
       select string_agg(${COLUMNS.map((column) => `coalesce(${column}, '')`).join(" || chr(31) || ")}, chr(30))
       from notification_configs where organization_key = $1 and user_id = $2 and document_id = any($3)
     ) as configs`,
    [organizationKey, userId, documentIds],
  );
  return { configs: configs === null ? [] : configs.split("\x1e").map(configOf), block };
}

const COLUMNS = ["document_id", "inbox", "email", "slack"];

/** Of the columns with a control character between them, of which ids have none. */
function configOf(text: string): SetConfig {
  const [documentId = "", inbox, email, slack] = text.split("\x1f");
  return { documentId, inbox: levelOf(inbox), email: levelOf(email), slack: levelOf(slack) };
}

/** Undefined of an empty text. */
function levelOf(text: string | undefined): Level | undefined {
  return text === "ALL" || text === "MINE" || text === "NONE" ? text : undefined;
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
     select $1, document_id, user_id, $4, $5, $6, ${NOW_MS}
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

/**
 * No mails of the organization for the user: NONE at its level, and nothing at that of a document, which would win.
 * Also of a disabled organization, but not of one that is missing or being deleted. Locks as writeConfigs does.
 */
export async function endMails(
  database: Queryable,
  organizationKey: string,
  userId: string,
  organizationLevel: string,
): Promise<void> {
  await database.query(
    `with kept as (
       select organization_key from organizations where organization_key = $1 and deleted_at is null
     ), overruling as (
       select document_id from notification_configs
       where organization_key = $1 and user_id = $2 and document_id <> $3 and email is not null
         and exists (select from kept)
       order by document_id for update
     ), ended as (
       update notification_configs config set email = null from overruling
       where config.organization_key = $1 and config.user_id = $2 and config.document_id = overruling.document_id
     )
     insert into notification_configs (organization_key, document_id, user_id, email, written_at)
     select organization_key, $3, $2, 'NONE', ${NOW_MS} from kept
     on conflict (organization_key, document_id, user_id) do update set
       email = excluded.email, written_at = excluded.written_at`,
    [organizationKey, userId, organizationLevel],
  );
}

/** What was set for the user, by document; the organization's level has an empty id. */
export const selectUserPage = userPages({
  source: `from (
    select document_id, 0 as record_bytes,
      json_build_object('documentId', document_id, 'inbox', inbox, 'email', email, 'slack', slack) as record
    from notification_configs where organization_key = $1 and user_id = $2
  ) as config where true`,
  keys: ["document_id"],
});
