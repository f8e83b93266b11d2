import type { NewAuditEntry } from "../../contract/audit.ts";
import { ServiceError } from "../../contract/errors.ts";
import { SCOPES } from "../../contract/scopes.ts";
import type { Database } from "../../database/database.ts";
import type { Queryable } from "../../database/statement.ts";
import { insertAuditEntries } from "../audit/audit-queries.ts";
import { generateApiKey, generateAuthToken, hashCredential } from "./credentials.ts";
import { type Credentials, readCredentials, writeCredentials } from "./credentials-file.ts";
import { findCaller, hasWorkspaces, lockBootstrap, updateOwnerEmail } from "./workspace-queries.ts";
import { addToken, addWorkspace, byOperator } from "./workspaces.ts";

interface BootstrapOptions {
  /** Credentials set by the operator; the workspace of the key is created or completed. */
  bootstrap?: (Credentials & { ownerEmail?: string }) | undefined;
  /** Folder of the file with generated credentials. */
  dataDir: string;
}

interface BootstrapResult extends Credentials {
  /** Whether this start created the workspace. */
  created: boolean;
}

/**
 * Creates the first workspace, with its activity service enabled; servers that start together create only one. Returns
 * undefined if the operator has set nothing and a workspace exists.
 */
export function bootstrapWorkspace(
  database: Database,
  options: BootstrapOptions,
): Promise<BootstrapResult | undefined> {
  const { bootstrap, dataDir } = options;
  return database.transaction(async (transaction) => {
    await lockBootstrap(transaction);
    if (bootstrap) return completeWorkspace(transaction, bootstrap);
    if (await hasWorkspaces(transaction)) return undefined;
    // The file is written before the commit, so that a kill never leaves a workspace whose token nobody has.
    const kept = await readCredentials(dataDir);
    const credentials = kept ?? { apiKey: generateApiKey(), authToken: generateAuthToken() };
    if (!kept) await writeCredentials(dataDir, credentials);
    return completeWorkspace(transaction, credentials);
  });
}

/** Adds what is missing and keeps what the operator has changed since. */
async function completeWorkspace(
  transaction: Queryable,
  { apiKey, authToken, ownerEmail }: Credentials & { ownerEmail?: string },
): Promise<BootstrapResult> {
  const { workspace, token } = await findCaller(transaction, {
    apiKeyHash: hashCredential(apiKey),
    authTokenHash: hashCredential(authToken),
  });
  if (token && token.workspaceId !== workspace?.id) {
    throw new ServiceError(
      "already_exists",
      "BOOTSTRAP_AUTH_TOKEN belongs to another workspace than BOOTSTRAP_API_KEY; " +
        "set a new token, or that workspace's key.",
    );
  }
  const workspaceId =
    workspace?.id ??
    (await addWorkspace(transaction, { name: "default", ownerEmail, apiKey, activityServiceEnabled: true }));
  const entries: NewAuditEntry[] = workspace ? [] : [byOperator(workspaceId, "workspace.add", {})];
  if (workspace && ownerEmail !== undefined && (await updateOwnerEmail(transaction, workspaceId, ownerEmail))) {
    entries.push(byOperator(workspaceId, "workspace.update", { fields: ["ownerEmail"] }));
  }
  if (!token) {
    const name = "bootstrap";
    const given = { workspaceId, name, scopes: SCOPES, authToken, expiresAt: undefined };
    const tokenId = await addToken(transaction, given);
    entries.push(byOperator(workspaceId, "auth_token.add", { tokenId, tokenName: name, scopes: SCOPES }));
  }
  await insertAuditEntries(transaction, entries);
  return { apiKey, authToken, created: workspace === undefined };
}
