import type { Workspace } from "../../contract/operation.ts";
import type { Queryable } from "../../database/database.ts";
import { emailTriggersOf } from "./email-config/email-config.ts";

/** Notified, without a payload, when something changes that an authentication may have been remembered by. */
export const WORKSPACES_CHANNEL = "colloquy_workspaces";

/** Any number, as long as nothing else in the database takes it. */
const BOOTSTRAP_LOCK = 4_026_531_841;

export interface WorkspaceRecord extends Omit<Workspace, "emailTriggers"> {
  name: string;
  ownerEmail: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Times in milliseconds since the epoch. */
export interface TokenRecord {
  id: string;
  name: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

const WORKSPACE_COLUMNS = `
  id, name, owner_email as "ownerEmail", api_key as "apiKey", activity_service_enabled as "activityServiceEnabled",
  activities_immutable as "activitiesImmutable",
  ${milliseconds("created_at")} as "createdAt"`;

/** What a caller's workspace is made of, of `workspaces w` joined to `email_configs c`. */
export const CALLER_COLUMNS = `
  w.id as "workspaceId", w.api_key as "apiKey", w.activity_service_enabled as "activityServiceEnabled",
  w.activities_immutable as "activitiesImmutable", c.settings::text as "emailSettings"`;

export interface CallerRow {
  workspaceId: string | null;
  apiKey: string;
  activityServiceEnabled: boolean;
  activitiesImmutable: boolean;
  emailSettings: string | null;
}

/** Undefined where the row has none. */
export function workspaceOf(row: CallerRow | undefined): Workspace | undefined {
  if (!row?.workspaceId) return undefined;
  const { workspaceId: id, apiKey, activityServiceEnabled, activitiesImmutable, emailSettings } = row;
  return { id, apiKey, activityServiceEnabled, activitiesImmutable, emailTriggers: emailTriggersOf(emailSettings) };
}

/** Of a timestamp; null of null. */
export function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

/** The workspace of the key and the token, each found by itself: they may belong to different workspaces. */
export async function findCaller(
  database: Queryable,
  hashes: { apiKeyHash: Buffer; authTokenHash: Buffer },
): Promise<{
  workspace: Workspace | undefined;
  token: { id: string; workspaceId: string; expiresAt: number | undefined } | undefined;
}> {
  const { rows } = await database.query<
    CallerRow & { tokenId: string | null; tokenWorkspaceId: string; expiresAt: number | null }
  >(
    `select ${CALLER_COLUMNS},
       t.id as "tokenId", t.workspace_id as "tokenWorkspaceId", ${milliseconds("t.expires_at")} as "expiresAt"
     from (values (1)) as always (present)
     left join workspaces w on w.api_key_hash = $1
     left join email_configs c on c.workspace_id = w.id
     left join auth_tokens t on t.token_hash = $2`,
    [hashes.apiKeyHash, hashes.authTokenHash],
  );
  const row = rows[0];
  return {
    workspace: workspaceOf(row),
    token: row?.tokenId
      ? { id: row.tokenId, workspaceId: row.tokenWorkspaceId, expiresAt: row.expiresAt ?? undefined }
      : undefined,
  };
}

/** Fails on an API key that exists. */
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
  await database.query(
    `insert into workspaces (id, name, owner_email, api_key, api_key_hash, activity_service_enabled,
       activity_service_enabled_at)
     values ($1, $2, $3, $4, $5, $6, case when $6 then now() end)`,
    [
      workspace.id,
      workspace.name,
      workspace.ownerEmail ?? null,
      workspace.apiKey,
      workspace.apiKeyHash,
      workspace.activityServiceEnabled,
    ],
  );
}

/** The oldest first. */
export async function listWorkspaces(database: Queryable): Promise<WorkspaceRecord[]> {
  const { rows } = await database.query<WorkspaceRecord>(
    `select ${WORKSPACE_COLUMNS} from workspaces order by workspaces.created_at, id`,
  );
  return rows;
}

/** Of an owner, by the address in the form that is compared, or all of them for the operator. The oldest first. */
export async function listReachedWorkspaces(
  database: Queryable,
  ownerAddress: string | null,
): Promise<WorkspaceRecord[]> {
  const { rows } = await database.query<WorkspaceRecord>(
    `select ${WORKSPACE_COLUMNS} from workspaces
     where ${ownerAddress === null ? "$1::text is null" : 'lower(owner_email collate "C") = $1'}
     order by workspaces.created_at, id`,
    [ownerAddress],
  );
  return rows;
}

/** By id where `reference` is one, else by API key. */
export async function findWorkspace(
  database: Queryable,
  reference: { id: string } | { apiKeyHash: Buffer },
): Promise<WorkspaceRecord | undefined> {
  const byId = "id" in reference;
  const { rows } = await database.query<WorkspaceRecord>(
    `select ${WORKSPACE_COLUMNS} from workspaces where ${byId ? "id" : "api_key_hash"} = $1`,
    [byId ? reference.id : reference.apiKeyHash],
  );
  return rows[0];
}

export async function hasWorkspaces(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>("select exists (select from workspaces) as found");
  return rows[0]?.found === true;
}

/** Needs a transaction, with whose commit sessions of the owner before lose the workspace on every server. */
export async function updateOwnerEmail(transaction: Queryable, workspaceId: string, ownerEmail: string): Promise<void> {
  const { rowCount } = await transaction.query(
    "update workspaces set owner_email = $2 where id = $1 and owner_email is distinct from $2",
    [workspaceId, ownerEmail],
  );
  if (rowCount) await notifyChange(transaction);
}

/** Fails on a token that exists, in whatever workspace. */
export async function insertToken(
  database: Queryable,
  token: { id: string; workspaceId: string; name: string; tokenHash: Buffer; expiresAt: number | undefined },
): Promise<void> {
  await database.query(
    `insert into auth_tokens (id, workspace_id, name, token_hash, expires_at)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))`,
    [token.id, token.workspaceId, token.name, token.tokenHash, token.expiresAt ?? null],
  );
}

/** The oldest first. */
export async function listTokens(database: Queryable, workspaceId: string): Promise<TokenRecord[]> {
  const { rows } = await database.query<TokenRecord>(
    `select id, name, ${milliseconds("created_at")} as "createdAt", ${milliseconds("expires_at")} as "expiresAt",
       ${milliseconds("last_used_at")} as "lastUsedAt"
     from auth_tokens where workspace_id = $1 order by auth_tokens.created_at, id`,
    [workspaceId],
  );
  return rows;
}

/** Needs a transaction. False when there is no such token. */
export async function deleteToken(transaction: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await transaction.query("delete from auth_tokens where id = $1", [id]);
  await notifyChange(transaction);
  return rowCount === 1;
}

/** Keeps the latest time of each; `usedAt` in milliseconds since the epoch, each id once. */
export async function markUsed(
  database: Queryable,
  table: "auth_tokens" | "sessions",
  uses: { id: string; usedAt: number }[],
): Promise<void> {
  if (uses.length === 0) return;
  // Locked in one order, so that servers which mark the same ones at once never wait for each other in a circle.
  await database.query(
    `with locked as materialized (
       select id from ${table} where id = any ($1::uuid[]) order by id for no key update
     ),
     used as (
       select id, to_timestamp(ms / 1000.0) as at
       from unnest($1::uuid[], $2::bigint[]) as given (id, ms) join locked using (id)
     )
     update ${table} set last_used_at = greatest(last_used_at, used.at) from used where ${table}.id = used.id`,
    [uses.map(({ id }) => id), uses.map(({ usedAt }) => usedAt)],
  );
}

/** Holds until the end of the transaction; whoever comes second sees what the first one has made. */
export async function lockBootstrap(transaction: Queryable): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock($1)", [BOOTSTRAP_LOCK]);
}

/** Needs a transaction, with whose commit every server learns that something of a workspace has changed. */
export async function notifyChange(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_notify('${WORKSPACES_CHANNEL}', '')`);
}
