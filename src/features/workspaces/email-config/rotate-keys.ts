import type { Cipher } from "../../../config/cipher.ts";
import type { Queryable, TransactionalQueryable } from "../../../database/statement.ts";
import { insertAuditEntries } from "../../audit/queries.ts";
import { byOperator } from "../workspaces.ts";
import { encryptKey, openKey } from "./email-config.ts";
import { lockEmailConfig, replaceEmailConfig, selectProviderKeys } from "./queries.ts";

/** Numbers of stored provider keys. */
interface KeyCounts {
  /** Encrypted under the current SECRET_KEY. */
  current: number;
  /** Encrypted under a key of SECRET_KEY_OLD. */
  earlier: number;
  /** Encrypted under a key that is not known. */
  unreadable: number;
}

/** Counts the stored provider keys by the secret key that encrypts them. */
export async function countProviderKeys(database: Queryable, secrets: Cipher): Promise<KeyCounts> {
  const counts = { current: 0, earlier: 0, unreadable: 0 };
  for (const { workspaceId, apiKey } of await selectProviderKeys(database)) {
    const opened = openKey(secrets, workspaceId, apiKey);
    if (!opened) counts.unreadable++;
    else if (opened.isCurrent) counts.current++;
    else counts.earlier++;
  }
  return counts;
}

/**
 * Encrypts every stored provider key under the current SECRET_KEY, each in its own transaction, so an interrupted run
 * can be repeated. Returns the number of those it has changed and the counts afterwards.
 */
export async function rotateProviderKeys(
  database: TransactionalQueryable,
  secrets: Cipher,
): Promise<KeyCounts & { rotated: number }> {
  let rotated = 0;
  for (const { workspaceId } of await selectProviderKeys(database)) {
    if (await database.transaction((transaction) => rotateKey(transaction, secrets, workspaceId))) rotated++;
  }
  return { rotated, ...(await countProviderKeys(database, secrets)) };
}

async function rotateKey(transaction: Queryable, secrets: Cipher, workspaceId: string): Promise<boolean> {
  const row = await lockEmailConfig(transaction, workspaceId);
  const opened = row?.apiKey ? openKey(secrets, workspaceId, row.apiKey) : undefined;
  if (!row || !opened || opened.isCurrent) return false;
  const apiKey = encryptKey(secrets, workspaceId, opened.text);
  await replaceEmailConfig(transaction, workspaceId, { settings: row.settings, apiKey });
  await insertAuditEntries(transaction, [byOperator(workspaceId, "secret.rotate", {})]);
  return true;
}
