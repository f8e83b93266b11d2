import { createPublicKey, type KeyObject } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Cipher } from "../../../config/cipher.ts";
import { invalidField, ServiceError } from "../../../contract/errors.ts";
import { MAX_WEB_URL_LENGTH } from "../../../contract/web-url.ts";
import { Triggers } from "../../workspaces/triggers.ts";

/** Row of a workspace that has set webhooks up. */
export interface WebhookConfigRow {
  /** Settings of basic webhooks except the auth token, as JSON text. */
  basic: string;
  /** Encrypted auth token of basic webhooks. */
  authToken: Buffer | null;
  /** Settings of advanced webhooks, as JSON text. Null before their first update. */
  advanced: string | null;
  /** Times since which each kind is enabled, in milliseconds since the epoch: it gets no earlier events. */
  basicSince: number;
  advancedSince: number;
}

const MIN_KEY_BITS = 2048;

const PublicKey = Type.Refine(
  Type.String({
    maxLength: 8192,
    description: "RSA key that encrypts bodies: base64 of its SPKI or PKCS#1 form, without PEM lines.",
  }),
  (text) => text === "" || isLongEnough(getPublicKey(text)),
  () => `must be the base64 of an RSA public key of at least ${MIN_KEY_BITS} bits, without PEM lines`,
);

/** Settings of how bodies are sent, which both kinds of webhooks have. */
const bodySettings = {
  encodeData: Type.Boolean({ description: "Whether bodies are sent as base64 in `encodedPayload`." }),
  encryptData: Type.Boolean({ description: "Whether bodies are encrypted. Requires `publicKey`." }),
  publicKey: PublicKey,
  enableDataProtection: Type.Boolean({
    description: "Whether bodies omit comment texts, names, addresses and attachments.",
  }),
};

/** Settings of how bodies are sent. */
export interface BodySettings {
  encodeData?: boolean;
  encryptData?: boolean;
  publicKey?: string;
  enableDataProtection?: boolean;
}

const NotificationUrl = (description: string) => Type.String({ maxLength: MAX_WEB_URL_LENGTH, description });

const urls = {
  rawNotificationUrl: NotificationUrl("Receives events as they happen. Empty if none is set."),
  processedNotificationUrl: NotificationUrl(
    "Receives events with the preferences of their users and `accessDeniedUsers`. Empty if none is set.",
  ),
};

const AuthToken = Type.Refine(
  Type.String({
    maxLength: 4096,
    description: "Sent as `Authorization: Basic …`. Empty if none is set.",
    examples: ["c2VjcmV0"],
  }),
  (text) => /^[\x20-\x7e]*$/.test(text),
  () => "must have only printable ASCII characters",
);

export const WebhookServiceConfigUpdate = Type.Partial(
  Type.Object({ authToken: AuthToken, ...urls, ...bodySettings, triggers: Triggers }),
);

export const WebhookConfig = Type.Object(
  {
    useWebhookService: Type.Boolean(),
    webhookServiceConfig: Type.Object({
      authToken: AuthToken,
      ...urls,
      ...Type.Partial(Type.Object({ ...bodySettings, triggers: Triggers })).properties,
    }),
  },
  { title: "WebhookConfig" },
);

/** Settings of basic webhooks except the auth token. */
export interface BasicSettings extends BodySettings {
  useWebhookService: boolean;
  rawNotificationUrl: string;
  processedNotificationUrl: string;
  triggers?: Triggers;
}

const { enableDataProtection, encodeData, encryptData, publicKey } = bodySettings;
export const advancedFields = {
  isEnabled: Type.Boolean({ description: "Whether advanced webhooks are sent." }),
  ...{ encryptData, encodeData, publicKey, enableDataProtection },
};
export const AdvancedWebhookConfig = Type.Object(advancedFields, { title: "AdvancedWebhookConfig" });

/** Settings of advanced webhooks. */
export type AdvancedSettings = Static<typeof AdvancedWebhookConfig>;

/** Returns the settings of basic webhooks, which are off before the first update. */
export function toBasicSettings(row: Pick<WebhookConfigRow, "basic"> | undefined): BasicSettings {
  const unset = { useWebhookService: false, rawNotificationUrl: "", processedNotificationUrl: "" };
  return { ...unset, ...(row && JSON.parse(row.basic)) };
}

/** Returns the settings of advanced webhooks, which are off before the first update. */
export function toAdvancedSettings(row: Pick<WebhookConfigRow, "advanced"> | undefined): AdvancedSettings {
  const unset = { isEnabled: false, encryptData: false, encodeData: false, publicKey: "", enableDataProtection: false };
  return { ...unset, ...(row?.advanced && JSON.parse(row.advanced)) };
}

/** Returns whether events of the workspace are sent to webhooks. */
export function isAnyWebhookEnabled(row: WebhookConfigRow): boolean {
  return toBasicSettings(row).useWebhookService || toAdvancedSettings(row).isEnabled;
}

/** Throws INVALID_ARGUMENT, which names the key by its path, if bodies would be encrypted without one. */
export function requireKeyToEncrypt({ encryptData, publicKey }: BodySettings, path: string): void {
  if (encryptData && !publicKey) throw invalidField(path, "is required to use encryptData");
}

/** Returns the RSA key of a base64 text in SPKI or PKCS#1 form, or undefined if it is none. */
export function getPublicKey(text: string): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  for (const type of ["spki", "pkcs1"] as const) {
    try {
      return createPublicKey({ key, format: "der", type });
    } catch {}
  }
  return undefined;
}

function isLongEnough(key: KeyObject | undefined): boolean {
  return key?.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS;
}

export function encryptAuthToken(secrets: Cipher, workspaceId: string, authToken: string): Buffer | null {
  return authToken === "" ? null : secrets.encrypt(authToken, authTokenBinding(workspaceId));
}

/** Decrypts the auth token; returns "" if there is none. Throws FAILED_PRECONDITION if SECRET_KEY has changed since. */
export function decryptAuthToken(secrets: Cipher, workspaceId: string, row: WebhookConfigRow | undefined): string {
  if (!row?.authToken) return "";
  try {
    return secrets.decrypt(row.authToken, authTokenBinding(workspaceId));
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The stored auth token cannot be read, as the server's SECRET_KEY has changed since; set " +
        "webhookServiceConfig.authToken again with /v2/workspace/webhookconfig/update.",
    );
  }
}

/** Returns the configuration of basic webhooks as callers read it. Throws like decryptAuthToken. */
export function toBasicConfig(
  secrets: Cipher,
  workspaceId: string,
  row: WebhookConfigRow | undefined,
): Static<typeof WebhookConfig> {
  const { useWebhookService, ...settings } = toBasicSettings(row);
  return {
    useWebhookService,
    webhookServiceConfig: { authToken: decryptAuthToken(secrets, workspaceId, row), ...settings },
  };
}

/** Returns the associated data that binds the encrypted token to the workspace's row. */
export function authTokenBinding(workspaceId: string): string {
  return `webhook auth token of workspace ${workspaceId}`;
}
