import type { Cipher } from "../config/cipher.ts";
import type { StoredSecretKind } from "../contract/stored-secret.ts";
import type { Queryable, TransactionalQueryable } from "../database/statement.ts";
import { insertAuditEntries } from "../features/audit/audit-queries.ts";
import { webhookAuthTokens } from "../features/webhooks/config/stored-auth-tokens.ts";
import { webhookEndpointSecrets } from "../features/webhooks/endpoints/stored-endpoint-secrets.ts";
import { providerKeys } from "../features/workspaces/email-config/stored-keys.ts";
import { byOperator } from "../features/workspaces/workspaces.ts";

/** Every kind of secrets that are stored under SECRET_KEY. */
export const STORED_SECRETS: readonly StoredSecretKind[] = [providerKeys, webhookAuthTokens, webhookEndpointSecrets];

/** Numbers of stored secrets. */
interface SecretCounts {
  /** Encrypted under the current SECRET_KEY. */
  current: number;
  /** Encrypted under a key of SECRET_KEY_OLD. */
  earlier: number;
  /** Encrypted under a key that is not known. */
  unreadable: number;
}

/** Counts the stored secrets by the secret key that encrypts them. */
export async function countSecrets(database: Queryable, secrets: Cipher): Promise<SecretCounts> {
  const counts = { current: 0, earlier: 0, unreadable: 0 };
  for (const kind of STORED_SECRETS) {
    for (const secret of await kind.select(database)) {
      const opened = secrets.open(secret.encrypted, kind.boundTo(secret));
      if (!opened) counts.unreadable++;
      else if (opened.isCurrent) counts.current++;
      else counts.earlier++;
    }
  }
  return counts;
}

/**
 * Encrypts every stored secret under the current SECRET_KEY, each in its own transaction, so an interrupted run can be
 * repeated. Returns the number of those it has changed and the counts afterwards.
 */
export async function rotateSecrets(
  database: TransactionalQueryable,
  secrets: Cipher,
): Promise<SecretCounts & { rotated: number }> {
  let rotated = 0;
  for (const kind of STORED_SECRETS) {
    for (const secret of await kind.select(database)) {
      const opened = secrets.open(secret.encrypted, kind.boundTo(secret));
      if (!opened || opened.isCurrent) continue;
      const encrypted = secrets.encrypt(opened.text, kind.boundTo(secret));
      const isReplaced = await database.transaction(async (transaction) => {
        if (!(await kind.replace(transaction, secret, encrypted))) return false;
        await insertAuditEntries(transaction, [byOperator(secret.workspaceId, "secret.rotate", {})]);
        return true;
      });
      if (isReplaced) rotated++;
    }
  }
  return { rotated, ...(await countSecrets(database, secrets)) };
}
