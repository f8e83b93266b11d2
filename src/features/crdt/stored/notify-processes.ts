import { hash } from "node:crypto";
import type { Logger } from "pino";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import {
  type CollaborativeDocumentRef,
  type CrossTenantDocumentRef,
  stringifyRef,
} from "../collaborative-document-ref.ts";
import { sendToProcesses } from "./crdt-update-queries.ts";

/** Number of keys in a payload, which has at most 7,999 bytes. */
const MAX_KEYS = 300;

/** A message of a process to the others; `from` is empty if it is for all processes. */
export type ProcessMessage =
  /** Editors whose log or state has changed. */
  | { from: string; changed: string[] }
  /** Cursors and names: the part from `start` of an awareness update in Base64, by its number among those of `from`. */
  | { from: string; key: string; update: number; awareness: string; start: number; isLast: boolean }
  /** Asks for the cursors and names of an editor. */
  | { from: string; key: string; requestsAwareness: true };

/** Returns a short name of an editor that no other editor has, of any workspace. */
export function toChannelKey({ organizationKey, ...ref }: CrossTenantDocumentRef): string {
  return hash("sha256", `${organizationKey} ${stringifyRef(ref)}`, "base64url").slice(0, 22);
}

/**
 * Tells all processes that editors have changed or were deleted, after the commit. Nothing relies on it: open editors
 * look for what they are not told.
 */
export async function notifyProcesses(
  organization: StoredOrganization,
  documents: readonly CollaborativeDocumentRef[],
  log: Pick<Logger, "warn">,
): Promise<void> {
  if (documents.length === 0) return;
  const keys = documents.map((ref) => toChannelKey({ ...ref, organizationKey: organization.key }));
  try {
    await sendToProcesses(organization, buildChangeMessages("", keys));
  } catch (err) {
    log.warn({ err }, "changes of editors were not announced; open editors will look for them");
  }
}

/** Returns the payloads that name the changed editors. */
export function buildChangeMessages(from: string, keys: readonly string[]): string[] {
  const messages: string[] = [];
  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    const message: ProcessMessage = { from, changed: keys.slice(start, start + MAX_KEYS) };
    messages.push(JSON.stringify(message));
  }
  return messages;
}
