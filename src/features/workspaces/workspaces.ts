import { randomUUID } from "node:crypto";
import { type AuditAction, type AuditTarget, COMMAND_LINE, type NewAuditEntry } from "../../contract/audit.ts";
import { invalidField, ServiceError } from "../../contract/errors.ts";
import { SCOPES, type Scope } from "../../contract/scopes.ts";
import type { Database } from "../../database/database.ts";
import type { Queryable } from "../../database/statement.ts";
import { isEmailAddress } from "../../email/address.ts";
import { insertAuditEntries } from "../audit/audit-queries.ts";
import { setActivityConfig } from "./activity-config/activity-config-queries.ts";
import { insertToken, revokeTokens } from "./auth-tokens/auth-token-queries.ts";
import { generateApiKey, generateAuthToken, getLastCharacters, hashCredential } from "./credentials.ts";
import { findWorkspace, insertWorkspace, listWorkspaces, type WorkspaceRecord } from "./workspace-queries.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_NAME_LENGTH = 256;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** 1 to 256 UTF-16 units without control characters. */
export function isName(text: string): boolean {
  return text.length > 0 && text.length <= MAX_NAME_LENGTH && !CONTROL_CHARACTER.test(text) && text.isWellFormed();
}

/** Creates a workspace and its first token, which is shown only here. */
export async function createWorkspace(
  database: Database,
  workspace: { name: string; ownerEmail?: string | undefined; activityServiceEnabled?: boolean },
): Promise<{ workspaceId: string; apiKey: string; authToken: string }> {
  requireName(workspace.name);
  if (workspace.ownerEmail !== undefined && !isEmailAddress(workspace.ownerEmail)) {
    throw invalidField("ownerEmail", "must be an email address");
  }
  const { name, ownerEmail, activityServiceEnabled = false } = workspace;
  const [apiKey, authToken] = [generateApiKey(), generateAuthToken()];
  const workspaceId = await database.transaction(async (transaction) => {
    const id = await addWorkspace(transaction, { name, ownerEmail, apiKey, activityServiceEnabled });
    const token = { name: "first", authToken, scopes: SCOPES, expiresAt: undefined };
    const tokenId = await addToken(transaction, { workspaceId: id, ...token });
    await insertAuditEntries(transaction, [
      byOperator(id, "workspace.add", {}),
      byOperator(id, "auth_token.add", { tokenId, tokenName: token.name, scopes: token.scopes }),
    ]);
    return id;
  });
  return { workspaceId, apiKey, authToken };
}

/**
 * Creates a token, by default with all scopes, which is shown only here. `expiresAt` is in milliseconds since the
 * epoch.
 */
export async function createToken(
  database: Database,
  token: { workspaceId: string; name: string; scopes?: readonly Scope[] | undefined; expiresAt: number | undefined },
): Promise<{ tokenId: string; authToken: string }> {
  requireName(token.name);
  if (token.expiresAt !== undefined && token.expiresAt <= Date.now()) {
    throw invalidField("expiresAt", "must be in the future");
  }
  const authToken = generateAuthToken();
  const tokenId = await database.transaction(async (transaction) => {
    const { workspaceId, name, scopes = SCOPES, expiresAt } = token;
    const id = await addToken(transaction, { workspaceId, name, scopes, authToken, expiresAt });
    const target = { tokenId: id, tokenName: name, scopes };
    await insertAuditEntries(transaction, [byOperator(workspaceId, "auth_token.add", target)]);
    return id;
  });
  return { tokenId, authToken };
}

/** Revokes a token on every server. Throws NOT_FOUND. */
export async function revokeToken(database: Database, id: string): Promise<void> {
  const isRevoked =
    isUuid(id) &&
    (await database.transaction(async (transaction) => {
      const revoked = await revokeTokens(transaction, { ids: [id] });
      const entries = revoked.map(({ workspaceId, name }) =>
        byOperator(workspaceId, "auth_token.delete", { tokenIds: [id], tokenNames: [name] }),
      );
      await insertAuditEntries(transaction, entries);
      return revoked.length > 0;
    }));
  if (!isRevoked) throw new ServiceError("not_found", `There is no auth token with the ID ${id}.`);
}

/** Turns the activity service on or off on every server. Throws NOT_FOUND. */
export async function setActivityService(database: Database, workspaceId: string, enabled: boolean): Promise<void> {
  const config = await database.transaction(async (transaction) => {
    const changed = await setActivityConfig(transaction, workspaceId, { isEnabled: enabled });
    const entry = byOperator(workspaceId, "activity_config.update", { fields: ["isEnabled"] });
    if (changed) await insertAuditEntries(transaction, [entry]);
    return changed;
  });
  if (!config) throw new ServiceError("not_found", `There is no workspace with the ID ${workspaceId}.`);
}

/** Records in every workspace that its data was written to a backup. */
export async function recordBackup(database: Queryable, id: string): Promise<void> {
  const workspaces = await listWorkspaces(database);
  const entries = workspaces.map((workspace) => byOperator(workspace.id, "workspace.backup", { backupId: id }));
  await insertAuditEntries(database, entries);
}

/** Records in every workspace that its data was restored from a backup, in the transaction of the restore. */
export async function recordRestore(
  transaction: Queryable,
  { id, createdAt }: { id: string; createdAt: string },
): Promise<void> {
  const workspaces = await listWorkspaces(transaction);
  const target = { backupId: id, createdAt };
  await insertAuditEntries(
    transaction,
    workspaces.map((workspace) => byOperator(workspace.id, "workspace.restore", target)),
  );
}

/** Finds a workspace by id or API key, or the only one if none is named. Throws NOT_FOUND or FAILED_PRECONDITION. */
export async function chooseWorkspace(database: Database, reference: string | undefined): Promise<WorkspaceRecord> {
  if (reference !== undefined) {
    const byId = isUuid(reference) ? await findWorkspace(database, { id: reference }) : undefined;
    const found = byId ?? (await findWorkspace(database, { apiKeyHash: hashCredential(reference) }));
    if (found) return found;
    throw new ServiceError("not_found", `There is no workspace with the ID or API key ${reference}.`);
  }
  const [only, ...others] = await listWorkspaces(database);
  if (!only)
    throw new ServiceError(
      "workspace_required",
      "There is no workspace yet. Create one with `colloquy workspace create`.",
    );
  if (others.length === 0) return only;
  throw new ServiceError("workspace_required", `There are ${others.length + 1} workspaces. Name one with --workspace.`);
}

/** Inserts a workspace. Returns its id. */
export async function addWorkspace(
  database: Queryable,
  workspace: { name: string; ownerEmail: string | undefined; apiKey: string; activityServiceEnabled: boolean },
): Promise<string> {
  const id = randomUUID();
  await insertWorkspace(database, { ...workspace, id, apiKeyHash: hashCredential(workspace.apiKey) });
  return id;
}

/** Inserts an auth token. Returns its id. */
export async function addToken(
  database: Queryable,
  token: {
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    authToken: string;
    expiresAt: number | undefined;
  },
): Promise<string> {
  const id = randomUUID();
  const { authToken, ...fields } = token;
  const stored = { tokenHash: hashCredential(authToken), lastCharacters: getLastCharacters(authToken) };
  await insertToken(database, { ...fields, ...stored, id });
  return id;
}

/** Returns an act of the command line or of a start. */
export function byOperator(workspaceId: string, action: AuditAction, target: AuditTarget): NewAuditEntry {
  return { workspaceId, action, actor: COMMAND_LINE, clientAddress: null, target };
}

function requireName(name: string): void {
  if (isName(name)) return;
  throw invalidField("name", `must have 1 to ${MAX_NAME_LENGTH} characters and no control characters`);
}
