import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import Type from "typebox";
import type { OrganizationKey, RecordKey, UserKey } from "../../database/keys.ts";

/** The key of an organization in the payload of a job. */
export const OrganizationKeyText = Type.Unsafe<OrganizationKey>(Type.String());

/** Number of organizations whose keys are remembered. */
const MAX_KEYS = 10_000;
const keys = new LRUCache<string, OrganizationKey>({
  max: MAX_KEYS,
  memoMethod: (text) => digest<OrganizationKey>(text),
});

/**
 * Returns the first 16 bytes of SHA-256 over workspace id, U+0000, organization id. It is computed, never looked up, so
 * that no query can reach another workspace's rows.
 */
export function organizationKey(workspaceId: string, organizationId: string): OrganizationKey {
  return keys.memo(`${workspaceId}\0${organizationId}`);
}

/** Returns the first 16 bytes of SHA-256 over workspace id, U+0000, organization id, U+0000, id. */
export function recordKey(workspaceId: string, organizationId: string, id: string): RecordKey {
  return digest(`${workspaceId}\0${organizationId}\0${id}`);
}

/** Returns the first 16 bytes of SHA-256 over the key of the organization, U+0000, annotation id. */
export function annotationKey(organization: OrganizationKey, annotationId: string): string {
  return digest(`${organization}\0${annotationId}`);
}

/** Returns the first 16 bytes of SHA-256 over the user id. */
export function userKey(userId: string): UserKey {
  return digest(userId);
}

/** Returns the key of a text; the cast holds because the functions that call it define what the keys are. */
function digest<Key extends string>(text: string): Key {
  return hash("sha256", text, "hex").slice(0, 32) as Key;
}
