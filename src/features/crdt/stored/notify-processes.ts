import { hash } from "node:crypto";
import type { Logger } from "pino";
import type { StoredOrganization } from "../../tenancy/organization-scope.ts";
import {
  type CollaborativeDocumentRef,
  type QualifiedDocumentRef,
  stringifyRef,
} from "../collaborative-document-ref.ts";
import { sendToProcesses } from "./crdt-update-queries.ts";

/** Number of keys in a payload, which has at most 7,999 bytes. */
const MAX_KEYS = 300;

declare const CHANNEL: unique symbol;

/** Short key of a collaborative document, unique across workspaces, by which processes name it to each other. */
export type ChannelKey = string & { readonly [CHANNEL]: true };

/** A message of a process to the others; `from` is empty if it is for all processes. */
export type ProcessMessage =
  /** Keys of the documents whose log or state has changed. */
  | { from: string; changed: ChannelKey[] }
  /** Cursors and names: the part from `start` of an awareness update in Base64, by its number among those of `from`. */
  | { from: string; key: ChannelKey; update: number; awareness: string; start: number; isLast: boolean }
  /** Requests the cursors and names of a document. */
  | { from: string; key: ChannelKey; requestsAwareness: true };

/** Returns the key of a document; the cast holds because this function defines what the keys are. */
export function toChannelKey({ organizationKey, ...ref }: QualifiedDocumentRef): ChannelKey {
  return hash("sha256", `${organizationKey} ${stringifyRef(ref)}`, "base64url").slice(0, 22) as ChannelKey;
}

/**
 * Notifies all processes, after the commit, of documents that have changed or were deleted. If it fails, open documents
 * find the changes when they poll.
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
    log.warn({ err }, "other processes were not notified of changed documents; their next poll finds them");
  }
}

/** Returns the payloads with the keys of changed documents. */
export function buildChangeMessages(from: string, keys: readonly ChannelKey[]): string[] {
  const messages: string[] = [];
  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    const message: ProcessMessage = { from, changed: keys.slice(start, start + MAX_KEYS) };
    messages.push(JSON.stringify(message));
  }
  return messages;
}
