import type { AccessType } from "../../contract/access-type.ts";
import type { Workspace } from "../../contract/operation.ts";
import type { Scope } from "../../contract/scopes.ts";
import { bigint, bigints, boolean, bytea, identifier, sql, text, uuid, uuids } from "../../database/sql.ts";
import type { Queryable, Transaction } from "../../database/statement.ts";
import { milliseconds } from "../../database/time.ts";
import { getEmailTriggers } from "./email-config/email-config.ts";
import { getCommentNotifications } from "./notification-config/notification-config.ts";

/** Channel that is notified, without a payload, when a change may make a cached authentication stale. */
export const WORKSPACES_CHANNEL = "colloquy_workspaces";

/** Key of the advisory lock of the bootstrap: a number that no other lock in the database uses. */
const BOOTSTRAP_LOCK = 4_026_531_841;

export interface WorkspaceRecord extends Omit<Workspace, "emailTriggers" | "commentNotifications" | "eventLog"> {
  name: string;
  ownerEmail: string | null;
  /** A setting for clients, which the service only stores. */
  isPrivateCommentsEnabled: boolean;
  /** Minutes of editing after which a collaborative document gets an automatic version; 0 for none. */
  automaticVersionMinutes: number;
  /** Days for which the last automatic version of each day is kept. */
  automaticVersionDays: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

const WORKSPACE_COLUMNS = sql`
  id, name, owner_email as "ownerEmail", api_key as "apiKey", activity_service_enabled as "activityServiceEnabled",
  activities_immutable as "activitiesImmutable", default_document_access_type as "defaultDocumentAccessType",
  is_context_enabled as "isContextEnabled", show_user_emails as "showUserEmails",
  require_jwt_token as "requireJwtToken", require_auto_org_user as "requireAutoOrgUser",
  private_comments_enabled as "isPrivateCommentsEnabled",
  automatic_version_minutes as "automaticVersionMinutes", automatic_version_days as "automaticVersionDays",
  ${milliseconds(sql`created_at`)} as "createdAt"`;

/** Columns of a caller's workspace, from `workspaces w` joined to `email_configs c`. */
export const CALLER_COLUMNS = sql`
  w.id as "workspaceId", w.api_key as "apiKey", w.activity_service_enabled as "activityServiceEnabled",
  w.activities_immutable as "activitiesImmutable", w.default_document_access_type as "defaultDocumentAccessType",
  w.is_context_enabled as "isContextEnabled", w.show_user_emails as "showUserEmails",
  w.require_jwt_token as "requireJwtToken", w.require_auto_org_user as "requireAutoOrgUser",
  w.notification_config::text as "notificationConfig",
  w.events_since as "eventsSince", w.events_until as "eventsUntil", c.settings::text as "emailSettings"`;

export interface CallerRow {
  workspaceId: string | null;
  apiKey: string;
  activityServiceEnabled: boolean;
  activitiesImmutable: boolean;
  defaultDocumentAccessType: AccessType;
  isContextEnabled: boolean;
  showUserEmails: boolean;
  requireJwtToken: boolean;
  requireAutoOrgUser: boolean;
  notificationConfig: string | null;
  eventsSince: number | null;
  eventsUntil: number | null;
  emailSettings: string | null;
}

/** Returns the workspace of a row, or undefined if the row has none. */
export function toWorkspace(row: CallerRow | undefined): Workspace | undefined {
  if (!row?.workspaceId) return undefined;
  const { workspaceId: id, notificationConfig, emailSettings, eventsSince: since, eventsUntil: until, ...fields } = row;
  const { apiKey, activityServiceEnabled, activitiesImmutable, defaultDocumentAccessType } = fields;
  const { isContextEnabled, showUserEmails, requireJwtToken, requireAutoOrgUser } = fields;
  return {
    ...{ id, apiKey, activityServiceEnabled, activitiesImmutable, defaultDocumentAccessType },
    ...{ isContextEnabled, showUserEmails, requireJwtToken, requireAutoOrgUser },
    emailTriggers: getEmailTriggers(emailSettings),
    commentNotifications: getCommentNotifications(notificationConfig),
    eventLog: since === null || until === null ? undefined : { since, until },
  };
}

interface TokenRow {
  tokenId: string | null;
  tokenName: string;
  tokenWorkspaceId: string;
  scopes: Scope[];
  expiresAt: number | null;
}

/** Finds the workspace of the key and the token separately: they may belong to different workspaces. */
export async function findCaller(
  database: Queryable,
  hashes: { apiKeyHash: Buffer; authTokenHash: Buffer },
): Promise<{
  workspace: Workspace | undefined;
  token: { id: string; name: string; workspaceId: string; scopes: Scope[]; expiresAt: number | undefined } | undefined;
}> {
  const [row] = await database.run(
    sql<CallerRow & TokenRow>`select
        ${CALLER_COLUMNS}, t.id as "tokenId", t.name as "tokenName", t.workspace_id as "tokenWorkspaceId",
        t.scopes, ${milliseconds(sql`t.expires_at`)} as "expiresAt"
      from (values (1)) as always (present)
      left join workspaces w on w.api_key_hash = ${bytea(hashes.apiKeyHash)}
      left join email_configs c on c.workspace_id = w.id
      left join auth_tokens t on t.token_hash = ${bytea(hashes.authTokenHash)}`,
  );
  return {
    workspace: toWorkspace(row),
    token: row?.tokenId
      ? {
          id: row.tokenId,
          name: row.tokenName,
          workspaceId: row.tokenWorkspaceId,
          scopes: row.scopes,
          expiresAt: row.expiresAt ?? undefined,
        }
      : undefined,
  };
}

/** Returns a workspace with the settings that its requests have, for a job. */
export async function findCallingWorkspace(database: Queryable, workspaceId: string): Promise<Workspace | undefined> {
  const [row] = await database.run(
    sql<CallerRow>`select ${CALLER_COLUMNS} from workspaces w left join email_configs c on c.workspace_id = w.id
      where w.id = ${uuid(workspaceId)}`,
  );
  return toWorkspace(row);
}

/** Inserts a workspace. Fails if its API key exists. */
export async function insertWorkspace(
  database: Queryable,
  workspace: {
    id: string;
    name: string;
    ownerEmail: string | undefined;
    apiKey: string;
    apiKeyHash: Buffer;
    activityServiceEnabled: boolean;
  },
): Promise<void> {
  const isEnabled = boolean(workspace.activityServiceEnabled);
  await database.run(
    sql`insert into workspaces (id, name, owner_email, api_key, api_key_hash, activity_service_enabled,
        activity_service_enabled_at)
      values (${uuid(workspace.id)}, ${text(workspace.name)}, ${text(workspace.ownerEmail)}, ${text(workspace.apiKey)},
        ${bytea(workspace.apiKeyHash)}, ${isEnabled}, case when ${isEnabled} then now() end)`,
  );
}

/** Returns all workspaces, oldest first. */
export function listWorkspaces(database: Queryable): Promise<WorkspaceRecord[]> {
  return database.run(
    sql<WorkspaceRecord>`select ${WORKSPACE_COLUMNS} from workspaces order by workspaces.created_at, id`,
  );
}

/** Returns the workspaces of an owner, by their compared address, or all of them for the operator, oldest first. */
export function listReachedWorkspaces(database: Queryable, ownerAddress: string | null): Promise<WorkspaceRecord[]> {
  if (ownerAddress === null) return listWorkspaces(database);
  return database.run(
    sql<WorkspaceRecord>`select ${WORKSPACE_COLUMNS} from workspaces
      where lower(owner_email collate "C") = ${text(ownerAddress)} order by workspaces.created_at, id`,
  );
}

/** Finds a workspace by its id or by the hash of its API key. */
export async function findWorkspace(
  database: Queryable,
  reference: { id: string } | { apiKeyHash: Buffer },
): Promise<WorkspaceRecord | undefined> {
  const isReferred =
    "id" in reference ? sql`id = ${uuid(reference.id)}` : sql`api_key_hash = ${bytea(reference.apiKeyHash)}`;
  const [row] = await database.run(
    sql<WorkspaceRecord>`select ${WORKSPACE_COLUMNS} from workspaces where ${isReferred}`,
  );
  return row;
}

export async function hasWorkspaces(database: Queryable): Promise<boolean> {
  const [row] = await database.run(sql<{ found: boolean }>`select exists (select from workspaces) as found`);
  return row?.found === true;
}

/**
 * Changes the owner in a transaction. Sessions of the previous owner lose the workspace on every server. Returns
 * whether the owner was another.
 */
export async function updateOwnerEmail(
  transaction: Queryable,
  workspaceId: string,
  ownerEmail: string,
): Promise<boolean> {
  const isOther = sql`id = ${uuid(workspaceId)} and owner_email is distinct from ${text(ownerEmail)}`;
  // An update needs all nodes of Citus, also if it changes nothing.
  const others = await transaction.run(sql`select id from workspaces where ${isOther}`);
  if (others.length === 0) return false;
  await transaction.run(sql`update workspaces set owner_email = ${text(ownerEmail)} where ${isOther}`);
  await notifyChange(transaction);
  return true;
}

/**
 * Records the time of the last use of tokens or sessions; `usedAt` is in milliseconds since the epoch, and each id
 * occurs once. Keeps the latest time of each. Locks rows in key order to avoid deadlocks between servers.
 */
export async function markUsed(
  database: Queryable,
  table: "auth_tokens" | "sessions",
  uses: { id: string; usedAt: number }[],
): Promise<void> {
  if (uses.length === 0) return;
  const used = identifier(table);
  const ids = uuids(uses.map(({ id }) => id));
  await database.run(
    sql`with locked as materialized (
      select id from ${used} where id = any(${ids}) order by id for no key update
    ), used as (
      select id, to_timestamp(ms / 1000.0) as at
      from unnest(${ids}, ${bigints(uses.map(({ usedAt }) => usedAt))}) as input (id, ms) join locked using (id)
    )
    update ${used} set last_used_at = greatest(last_used_at, used.at) from used where ${used}.id = used.id`,
  );
}

/** Serializes bootstraps until the end of the transaction; the second one sees what the first one has created. */
export async function lockBootstrap(transaction: Transaction): Promise<void> {
  await transaction.run(sql`select pg_advisory_xact_lock(${bigint(BOOTSTRAP_LOCK)})`);
}

/** Notifies every server, with the commit of the transaction, that something of a workspace has changed. */
export async function notifyChange(transaction: Queryable): Promise<void> {
  await transaction.run(sql`select pg_notify(${text(WORKSPACES_CHANNEL)}, '')`);
}

/** Locks a workspace's row, so that calls which change its settings run one after the other. */
export async function lockWorkspace(transaction: Transaction, workspaceId: string): Promise<void> {
  await transaction.run(sql`select from workspaces where id = ${uuid(workspaceId)} for no key update`);
}
