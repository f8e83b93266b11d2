import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Number of organizations whose keys are remembered. */
const MAX_KEYS = 10_000;
const keys = new LRUCache<string, string>({ max: MAX_KEYS, memoMethod: digestOf });

/**
 * Returns the first 16 bytes of SHA-256 over workspace id, U+0000, organization id, as 32 hexadecimal digits, which
 * PostgreSQL reads as a uuid. It is computed, never looked up, so that no query can reach another workspace's rows.
 */
export function organizationKey(workspaceId: string, organizationId: string): string {
  return keys.memo(`${workspaceId}\0${organizationId}`);
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

/**
 * Returns the key of a document or user group in answers: the first 16 bytes of SHA-256 over workspace id, U+0000,
 * organization id, U+0000, id, as 32 hexadecimal digits.
 */
export function recordKey(workspaceId: string, organizationId: string, id: string): string {
  return hash("sha256", `${workspaceId}\0${organizationId}\0${id}`, "hex").slice(0, 32);
}

/** Returns the 32 digits of a key that PostgreSQL has written with hyphens. */
export function digitsOf(organizationKey: string): string {
  return organizationKey.replaceAll("-", "");
}
