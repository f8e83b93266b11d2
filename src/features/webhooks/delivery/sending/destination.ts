import { createHmac } from "node:crypto";
import type { Cipher } from "../../../../config/cipher.ts";
import { ServiceError } from "../../../../contract/errors.ts";
import type { Workspace } from "../../../../contract/operation.ts";
import type { Queryable } from "../../../../database/statement.ts";
import { findCallingWorkspace } from "../../../workspaces/workspace-queries.ts";
import {
  decryptAuthToken,
  toAdvancedSettings,
  toBasicSettings,
  type WebhookConfigRow,
} from "../../config/webhook-config.ts";
import { selectWebhookConfig } from "../../config/webhook-config-queries.ts";
import { type EndpointSettings, openSecret, signingKey } from "../../endpoints/endpoint.ts";
import { type BasicKind, getBasicKind, type Target } from "../target.ts";
import { selectEnabledEndpoint } from "./webhook-message-queries.ts";

/** How messages are sent to a target at present. */
export interface Destination {
  workspace: Workspace;
  config: WebhookConfigRow;
  url: string;
  /** Undefined for an endpoint. */
  basicKind: BasicKind | undefined;
  /** Attempts a second; undefined without a limit. */
  rateLimit: number | undefined;
  /** Why no message can be sent, as the attempts show; undefined if messages can. */
  error: string | undefined;
  /** Whether the last attempts have failed. */
  isFailing: boolean;
  /** Returns the headers of an attempt. */
  buildHeaders(id: string, body: string): Record<string, string>;
}

/** Returns how to send to a target; undefined if it is disabled or gone. */
export async function findDestination(
  database: Queryable,
  secrets: Cipher,
  workspaceId: string,
  target: Target,
): Promise<Destination | undefined> {
  const config = await selectWebhookConfig(database, workspaceId);
  const workspace = config && (await findCallingWorkspace(database, workspaceId));
  if (!workspace) return undefined;
  const basicKind = getBasicKind(target);
  if (!basicKind) return endpointDestination(database, secrets, { workspace, config }, target);
  const { useWebhookService, rawNotificationUrl, processedNotificationUrl } = toBasicSettings(config);
  const url = basicKind === "raw" ? rawNotificationUrl : processedNotificationUrl;
  if (!useWebhookService || url === "") return undefined;
  const { secret: authToken, error } = readSecret(() => decryptAuthToken(secrets, workspaceId, config));
  const headers = authToken ? { authorization: `Basic ${authToken}` } : {};
  return {
    ...{ workspace, config, url, basicKind, error },
    rateLimit: undefined,
    isFailing: false,
    buildHeaders: () => headers,
  };
}

async function endpointDestination(
  database: Queryable,
  secrets: Cipher,
  { workspace, config }: Pick<Destination, "workspace" | "config">,
  id: string,
): Promise<Destination | undefined> {
  if (!toAdvancedSettings(config).isEnabled) return undefined;
  const endpoint = await selectEnabledEndpoint(database, workspace.id, id);
  if (!endpoint) return undefined;
  const { url, rateLimit }: EndpointSettings = JSON.parse(endpoint.settings);
  const encrypted = [endpoint.secret, ...(endpoint.previousSecret ? [endpoint.previousSecret] : [])];
  const read = encrypted.map((secret) => readSecret(() => signingKey(openSecret(secrets, id, secret))));
  const keys = read.flatMap(({ secret }) => secret ?? []);
  const error = keys.length === 0 ? read[0]?.error : undefined;
  return {
    ...{ workspace, config, url, basicKind: undefined, error },
    rateLimit: rateLimit ?? undefined,
    isFailing: endpoint.failingSince !== null,
    buildHeaders: (messageId, body) => signedHeaders(keys, messageId, body),
  };
}

/** Reads a secret, or returns why it cannot be read: SECRET_KEY has changed since it was stored. */
function readSecret<Secret>(read: () => Secret): { secret?: Secret; error: string | undefined } {
  try {
    return { secret: read(), error: undefined };
  } catch (error) {
    if (error instanceof ServiceError && error.reason === "secret_unreadable") return { error: error.message };
    throw error;
  }
}

/**
 * Returns the headers of Standard Webhooks, with a signature by each key. (The library of Standard Webhooks signs in
 * JavaScript, which took 10 percent of the processor time of the service in the bench of webhooks.)
 */
function signedHeaders(keys: readonly Buffer[], id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = (key: Buffer) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => `v1,${sign(key)}`).join(" "),
  };
}
